import { expect, test } from "vitest"
import type { Log } from "../../core/lib/log.js"
import { FUJI_ID, LOCAL_ID, MAINNET_ID } from "../../core/networks/names.js"
import { type ValidationFacts, ValidationLog, validationOf } from "./validation.js"

const on = (networkID: number, validates?: boolean): ValidationFacts => ({ networkID, isValidator: true, validates })

test("a validator votes on private networks, and on Mainnet and Fuji only with its flag", () => {
  expect(validationOf(on(LOCAL_ID))).toBe("voting")
  expect(validationOf(on(424_242, true))).toBe("voting")
  expect([MAINNET_ID, FUJI_ID].map((id) => validationOf(on(id)))).toEqual(["notVoting", "notVoting"])
  expect([MAINNET_ID, FUJI_ID].map((id) => validationOf(on(id, true)))).toEqual(["votingOnPChain", "votingOnPChain"])
  expect(validationOf({ ...on(MAINNET_ID, true), isValidator: false })).toBe("none")
})

test("the log warns once of a validator that does not vote, or votes on the P-Chain only", () => {
  const lines: string[] = []
  const note = (level: string) => (event: string) => void lines.push(`${level}: ${event.slice(0, 44)}`)
  const log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") } as Log
  const validation = new ValidationLog(log)
  for (const each of ["none", "notVoting", "notVoting", "votingOnPChain", "voting"] as const) validation.update(each)
  expect(lines).toEqual([
    "warn: this node ID is a validator's, but this node",
    "warn: this node votes on the P-Chain and does not ",
    "info: validation",
  ])
})
