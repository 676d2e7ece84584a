import { expect, test } from "vitest"
import { addCurrentStaker } from "../../../test/fixtures/stakers.js"
import { given, idOfNumber, row, rulesWith, stakerWith, timeRow, upgradesThrough } from "../../../test/fixtures/state.js"
import { idOfByte, nodeIDOfByte } from "../../../test/fixtures/txs.js"
import { refusal } from "../../../test/refusal.js"
import { Diff } from "../state/diff.js"
import { Priority } from "../state/staker.js"
import { addPendingStaker } from "../state/stakers.js"
import { tables } from "../state/tables.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import { advanceChainTime, checkNewChainTime, gasOf, nextBlockTime, nextStakerToReward } from "./chainTime.js"

const rules = rulesWith()
const SUBNET = idOfByte(5)

/** A permissioned subnet validator and a primary network delegator, both due at 100. */
function state() {
  const diff = given(timeRow(90n), row(tables.supplies, PRIMARY_NETWORK_ID, 10n ** 17n))
  const [nodeID, endTime] = [nodeIDOfByte(1), 100n]
  addCurrentStaker(diff, stakerWith({ nodeID, endTime: 500n, txID: idOfNumber(1), priority: Priority.primaryValidatorCurrent }))
  addCurrentStaker(diff, stakerWith({ nodeID, endTime, txID: idOfNumber(2), priority: Priority.primaryDelegatorCurrent }))
  const permissioned = { nodeID, endTime, txID: idOfNumber(3), subnetID: SUBNET }
  addCurrentStaker(diff, stakerWith({ ...permissioned, priority: Priority.subnetPermissionedValidatorCurrent }))
  return diff
}

test("a block stops at the next change of stakers, and no later", () => {
  expect(nextBlockTime(state(), rules, 95n)).toEqual({ time: 95n, isCapped: false })
  expect(nextBlockTime(state(), rules, 100n)).toEqual({ time: 100n, isCapped: true })
  expect(nextBlockTime(state(), rules, 1_000n)).toEqual({ time: 100n, isCapped: true })
  expect(nextBlockTime(state(), rules, 1n)).toEqual({ time: 90n, isCapped: false })
  expect(refusal(() => checkNewChainTime(state(), rules, 101n, 101n)).code).toBe("rules.time_past_change")
})

test("permissioned validators leave by time alone, everyone else by a reward", () => {
  const after = new Diff(state())
  expect(advanceChainTime(after, rules, 100n)).toBe(true)
  expect(after.get(tables.currentValidators, { subnetID: SUBNET, nodeID: nodeIDOfByte(1) })).toBeUndefined()
  expect(nextStakerToReward(after, 100n)).toMatchObject({ staker: { txID: idOfNumber(2) }, isDue: true })
  expect(nextStakerToReward(state(), 99n)).toMatchObject({ staker: { txID: idOfNumber(2) }, isDue: false })
  expect(nextStakerToReward(given(), 99n)).toBeUndefined()
})

test("stakers begin in order, each reward computed from the supply that those before it left", () => {
  const before = given(timeRow(0n), row(tables.supplies, PRIMARY_NETWORK_ID, 360_000_000n * 10n ** 9n))
  const pending = { startTime: 10n, endTime: 10n + 31_536_000n, nextTime: 10n, weight: 2_000n * 10n ** 9n }
  for (const number of [2, 1]) {
    const who = { txID: idOfNumber(number), nodeID: nodeIDOfByte(number) }
    addPendingStaker(before, stakerWith({ ...pending, ...who, priority: Priority.primaryValidatorPending }))
  }
  advanceChainTime(before, rules, 10n)
  const rewards = [...before.rows(tables.currentStakers)].map(([{ txID }, { potentialReward }]) => [txID, potentialReward])
  // A year at 12 % of the remaining supply, in proportion to the stake: the second reward is computed from a slightly larger supply.
  expect(rewards).toEqual([
    [idOfNumber(1), 240_000_000_000n],
    [idOfNumber(2), 239_999_680_000n],
  ])
  expect(before.get(tables.supplies, PRIMARY_NETWORK_ID)).toBe(360_000_000n * 10n ** 9n + 479_999_680_000n)
})

test("a delegator that is listed before its validator is rewarded before it, and added after it", () => {
  const before = given(timeRow(0n), row(tables.supplies, PRIMARY_NETWORK_ID, 360_000_000n * 10n ** 9n))
  const pending = { startTime: 10n, endTime: 10n + 31_536_000n, nextTime: 10n, weight: 2_000n * 10n ** 9n }
  addPendingStaker(before, stakerWith({ ...pending, txID: idOfNumber(1), priority: Priority.primaryValidatorPending }))
  addPendingStaker(before, stakerWith({ ...pending, txID: idOfNumber(2), priority: Priority.primaryDelegatorApricotPending }))
  advanceChainTime(before, rules, 10n)
  const rewards = [...before.rows(tables.currentStakers)].map(([{ txID }, { potentialReward }]) => [txID, potentialReward])
  expect(rewards).toEqual([
    [idOfNumber(2), 240_000_000_000n],
    [idOfNumber(1), 239_999_680_000n],
  ])
})

test("gas comes back from Etna on, and not before", () => {
  const [early, late] = [given(timeRow(0n)), given(timeRow(0n))]
  advanceChainTime(early, rulesWith({}, upgradesThrough("durango")), 3n)
  advanceChainTime(late, rules, 3n)
  expect([gasOf(early), gasOf(late)]).toEqual([
    { capacity: 0n, excess: 0n },
    { capacity: 300_000n, excess: 0n },
  ])
})
