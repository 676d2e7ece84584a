import { expect, test } from "vitest"
import { NOW, smallRules, smallState } from "../../../test/fixtures/smallChain.js"
import { refusal } from "../../../test/refusal.js"
import { addWrapping64 } from "../lib/math64.js"
import { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import { promiseReward } from "./staking.js"

test("a reward beyond 64 bits of supply wraps around where AvalancheGo does not check it, and is refused where it does", () => {
  const rules = smallRules("granite")
  const absurd = { ...rules, params: { ...rules.params, reward: { ...rules.params.reward, supplyCap: 1n } } }
  const stake = { start: NOW, duration: 365n * 86_400n, weight: 1n << 62n }
  const state = smallState()
  state.put(tables.supplies, PRIMARY_NETWORK_ID, 2n)
  const diff = new Diff(state)
  expect(refusal(() => promiseReward(diff, absurd, PRIMARY_NETWORK_ID, stake)).code).toBe("math.overflow")
  expect(promiseReward(diff, absurd, PRIMARY_NETWORK_ID, stake, addWrapping64)).toBe((1n << 64n) - 1n)
  expect(diff.get(tables.supplies, PRIMARY_NETWORK_ID)).toBe(1n)
})
