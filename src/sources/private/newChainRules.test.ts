import { expect, test } from "vitest"
import { privateChainUpgrades } from "../../core/networks/upgrades.js"
import { newChainRules } from "./privateNode.js"

const ruleFlagsFor = async (ruleFlags: Record<string, string | number>) => {
  const { upgrades, ruleFlags: more } = await newChainRules({ choice: { ruleFlags } })
  expect(upgrades).toBe(privateChainUpgrades)
  return more
}

test("a shorter --min-stake-duration also sets --helicon-min-stake-duration", async () => {
  expect(await ruleFlagsFor({ "min-stake-duration": "5s" })).toEqual({ "helicon-min-stake-duration": "5s" })
  expect(await ruleFlagsFor({ "min-stake-duration": 5_000_000_000 })).toEqual({ "helicon-min-stake-duration": 5_000_000_000 })
})

test("--helicon-min-stake-duration keeps its own value when it is given, or when the other is not below it", async () => {
  expect(await ruleFlagsFor({})).toEqual({})
  expect(await ruleFlagsFor({ "min-stake-duration": "1h" })).toEqual({})
  expect(await ruleFlagsFor({ "min-stake-duration": "5s", "helicon-min-stake-duration": "10s" })).toEqual({})
  expect(await ruleFlagsFor({ "min-stake-duration": "5 parsecs" })).toEqual({})
})
