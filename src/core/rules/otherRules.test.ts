import { expect, test } from "vitest"
import { flagsByRefusal, remedyOf } from "../networks/otherRules.js"
import { ruleFlags } from "../networks/ruleFlags.js"
import { rulesError } from "./errors.js"

test("every refusal that a flag can lift exists, and so does the flag", () => {
  const names = new Set(["upgrade", ...ruleFlags.map(({ name }) => name)])
  expect(Object.values(flagsByRefusal).flatMap((flags) => flags.filter((flag) => !names.has(flag)))).toEqual([])
  expect(Object.keys(flagsByRefusal).filter((code) => !(code in rulesError.list))).toEqual([])
})

test("the way out names the flags of the rule, or all rules", () => {
  expect(remedyOf("rules.stake_too_long")).toBe(
    "if the nodes of the network run with another value of --max-stake-duration, start with the same flags and an empty --data-dir; else look for a newer version",
  )
  expect(remedyOf("tx.unknown")).toContain("run with other rules or upgrade times, start with")
})
