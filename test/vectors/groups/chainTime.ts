import type { L1FeeConfig } from "../../../src/core/networks/params.js"
import {
  advanceChainTime,
  checkNewChainTime,
  nextBlockTime,
  nextStakerChangeTime,
  nextStakerToReward,
} from "../../../src/core/rules/chainTime.js"
import type { Rules } from "../../../src/core/rules/context.js"
import type { Diff } from "../../../src/core/state/diff.js"
import { Priority } from "../../../src/core/state/staker.js"
import { addPendingStaker } from "../../../src/core/state/stakers.js"
import { tables } from "../../../src/core/state/tables.js"
import type { NodeID } from "../../../src/core/types/id.js"
import { PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { given, idOfNumber, row, rulesWith, stakerWith, timeRow } from "../../fixtures/state.js"
import type { Entry, Group } from "../group.js"

export const l1FeeOf = ({ target, minPrice, excessConversionConstant }: Entry): L1FeeConfig => ({
  capacity: 2n * BigInt(target),
  target: BigInt(target),
  minPrice: BigInt(minPrice),
  excessConversionConstant: BigInt(excessConversionConstant),
})

/** A state with stakers that are due at these times, and L1 validators whose balances end at these totals of fees. */
function stateOf(input: Entry): { state: Diff; rules: Rules } {
  const current = input.currentNextTimes.map((time: Entry, i: number) =>
    row(tables.currentStakers, dueAt(time, i), stakerWith(dueAt(time, i))),
  )
  const pending = input.pendingNextTimes.map((time: Entry, i: number) =>
    row(tables.pendingStakers, dueAt(time, i), stakerWith(dueAt(time, i))),
  )
  const active = input.activeL1EndAccumulatedFees.map((fee: Entry, i: number) =>
    row(tables.activeL1Validators, { endAccumulatedFee: BigInt(fee), validationID: idOfNumber(i) }, null),
  )
  const state = given(
    timeRow(BigInt(input.chainTime)),
    row(tables.activeL1Count, null, BigInt(active.length)),
    row(tables.accruedFees, null, BigInt(input.accruedFees)),
    row(tables.l1Excess, null, BigInt(input.l1Excess)),
    ...current,
    ...pending,
    ...active,
  )
  return { state, rules: rulesWith({ validatorFee: l1FeeOf(input.config) }) }
}

const dueAt = (time: Entry, i: number) => ({
  nextTime: BigInt(time),
  priority: Priority.primaryValidatorCurrent,
  txID: idOfNumber(i),
})

export const chainTime: Group = {
  nextBlockTime({ input, expected }, verdict) {
    const { state, rules } = stateOf(input)
    const { time, isCapped } = nextBlockTime(state, rules, BigInt(input.now))
    verdict.equal("next block time", { timestamp: time, capped: isCapped }, expected)
  },

  nextStakerChangeTime({ input, expected }, verdict) {
    const { state, rules } = stateOf(input)
    verdict.equal("timestamp", nextStakerChangeTime(state, rules, BigInt(input.maxTime)), expected.timestamp)
  },

  verifyNewChainTime({ input, expected }, verdict) {
    const change = dueAt(input.nextStakerChangeTime, 1)
    const state = given(timeRow(BigInt(input.chainTime)), row(tables.currentStakers, change, stakerWith(change)))
    const check = () => checkNewChainTime(state, rulesWith(), BigInt(input.newTime), BigInt(input.now))
    if (expected.valid !== true) return verdict.refuses(`new time (${expected.error})`, check)
    check()
  },

  removeExpiries({ input, expected }, verdict) {
    const keys = input.expiries.map((expiry: Entry, i: number) => ({ expiry: BigInt(expiry), validationID: idOfNumber(i) }))
    const state = given(timeRow(0n), ...keys.map((key: (typeof keys)[number]) => row(tables.expiries, key, null)))
    advanceChainTime(state, rulesWith(), BigInt(input.newTime))
    const remaining = [...state.rows(tables.expiries)].map(([{ expiry }]) => expiry)
    verdict.equal("remaining", remaining, [...expected.remaining].sort(byNumber))
  },

  nextStakerToReward({ input, expected }, verdict) {
    const stakers = input.currentStakers.map(({ priority, endTime }: Entry, i: number) =>
      stakerWith({ priority: Number(priority), endTime: BigInt(endTime), txID: idOfNumber(i) }),
    )
    const state = given(...stakers.map((each: ReturnType<typeof stakerWith>) => row(tables.currentStakers, each, each)))
    const next = nextStakerToReward(state, BigInt(input.timestamp))
    const index = next && stakers.findIndex(({ txID }: { txID: string }) => txID === next.staker.txID)
    verdict.equal("next", { index, shouldReward: next?.isDue ?? false }, expected)
  },

  promotion({ input, expected }, verdict) {
    const names = Object.keys(input.pendingPrimaryValidators).sort()
    const state = given(timeRow(0n), row(tables.supplies, PRIMARY_NETWORK_ID, 10n ** 17n))
    for (const [i, name] of names.entries()) {
      const { start, end } = input.pendingPrimaryValidators[name]
      const who = { txID: idOfNumber(i), nodeID: nodeOf(i), priority: Priority.primaryValidatorPending }
      addPendingStaker(state, stakerWith({ ...who, startTime: BigInt(start), endTime: BigInt(end), nextTime: BigInt(start) }))
    }
    for (const time of input.advanceTo) advanceChainTime(state, rulesWith(), BigInt(time))
    const inTable = (table: typeof tables.currentValidators) =>
      names.filter((_, i) => state.get(table, { subnetID: PRIMARY_NETWORK_ID, nodeID: nodeOf(i) }))
    verdict.equal("current", inTable(tables.currentValidators), [...expected.current].sort())
    verdict.equal("pending", inTable(tables.pendingValidators), [...expected.pending].sort())
  },
}

const nodeOf = (i: number): NodeID => idOfNumber(i + 1).slice(-40) as NodeID
const byNumber = (a: Entry, b: Entry) => (BigInt(a) < BigInt(b) ? -1 : 1)
