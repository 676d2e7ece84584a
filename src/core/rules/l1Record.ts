import type { Diff } from "../state/diff.js"
import { activeL1Count } from "../state/l1Validators.js"
import { type L1MemberBefore, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { type ID, PRIMARY_NETWORK_ID } from "../types/id.js"
import { accruedFeesOf, l1ExcessOf } from "./chainTime.js"
import { chainTimeOf, type Rules } from "./context.js"
import { advanceExcess, l1FeesOver } from "./l1Fee.js"
import type { L1FeeState, L1Member } from "./l1Health.js"

/** Returns the state that the fees of L1 validators depend on. */
export function l1FeeStateOf(view: View, { params }: Rules): L1FeeState {
  return {
    config: params.validatorFee,
    active: activeL1Count(view),
    excess: l1ExcessOf(view),
    accruedFees: accruedFeesOf(view),
    time: chainTimeOf(view),
  }
}

/**
 * Records what the block of a height changed in the validators of L1s and in the number of those that pay. The diff is on the state before
 * the block. The record begins with the first block after Etna.
 */
export function recordL1Changes(diff: Diff, height: bigint): void {
  if (diff.get(tables.accruedFees, null) === undefined) return
  const active = activeL1Count(diff)
  if (active !== activeL1Count(diff.parent) || diff.first(tables.l1FeeRecord) === undefined) {
    const [excess, accruedFees, time] = [l1ExcessOf(diff), accruedFeesOf(diff), chainTimeOf(diff)]
    diff.put(tables.l1FeeRecord, height, { time, active, excess, accruedFees })
  }
  for (const { key: stakerID, before, after } of diff.changesIn(tables.l1Validators)) {
    const subnetID = (before ?? after)?.subnetID
    if (!subnetID || (before?.weight === after?.weight && before?.endAccumulatedFee === after?.endAccumulatedFee)) continue
    diff.put(tables.l1MemberDiffs, { subnetID, height, stakerID }, { before: before && rowOf({ ...before, endTime: 0n }) })
  }
  for (const { key, before } of diff.changesIn(tables.currentValidators)) {
    // No permissioned validator joins after the conversion, so it leaves.
    if (key.subnetID === PRIMARY_NETWORK_ID || !before || !diff.get(tables.conversions, key.subnetID)) continue
    const at = { subnetID: key.subnetID, height, stakerID: before.txID }
    diff.put(tables.l1MemberDiffs, at, { before: rowOf({ ...before, endAccumulatedFee: 0n }) })
  }
}

function rowOf({ nodeID, weight, endAccumulatedFee, endTime }: L1MemberBefore): L1MemberBefore {
  return { nodeID, weight, endAccumulatedFee, endTime }
}

/**
 * Returns the state that the fees of L1 validators depended on after a block of this height and time; `undefined` if the record begins
 * later. While the number of active validators stays, it follows from the time that has passed. Records of a later time are passed over.
 */
export function l1FeeStateAt(view: View, { params }: Rules, height: bigint, time: bigint): L1FeeState | undefined {
  const config = params.validatorFee
  for (const [, { active, excess, accruedFees, time: since }] of view.rows(tables.l1FeeRecord, { from: height })) {
    if (since > time) continue
    const fees = l1FeesOver(config, active, excess, time - since)
    const excessThen = advanceExcess(active, excess, config.target, time - since)
    return { config, active, excess: excessThen, accruedFees: accruedFees + fees, time }
  }
  return undefined
}

export function recordedMember(stakerID: ID, { endTime, ...member }: L1MemberBefore): L1Member {
  return endTime === 0n ? { ...member, validationID: stakerID } : { ...member, validationID: undefined, endTime }
}
