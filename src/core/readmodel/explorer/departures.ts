import type { TypeOf } from "../../codec/schema.js"
import { openWarpMessage } from "../../rules/warp.js"
import type { Diff } from "../../state/diff.js"
import type { ValidatorKey } from "../../state/staker.js"
import type { PastReader } from "../../state/view.js"
import { acceptedStaker } from "../../txs/execute.js"
import type { ID, NodeID } from "../../types/id.js"
import type { AcceptedBlock, PlacedTx } from "../acceptedBlock.js"
import { createdL1Validator } from "../creations.js"
import type { BlockProjection } from "../projection.js"
import type { Moment } from "../tables.js"
import { type MomentRange, newestOf } from "./moments.js"
import { leavesAfter } from "./movements.js"
import { DepartureReason, explorerTables } from "./tables.js"

/**
 * Records validators that left a subnet: rewarded or not, removed by the owner of the subnet or by the manager of the L1, or at their end.
 */
export const departures: BlockProjection = {
  onBlock({ diff }, block) {
    for (const placed of block.txs) followTx(diff, placed)
    expire(diff, block)
  },
}

function followTx(diff: Diff, placed: PlacedTx): void {
  const { tx, height, index, isCommitted } = placed
  const { unsignedTx } = tx
  const moment = { height, index }
  switch (unsignedTx.kind) {
    case "AddSubnetValidatorTx": {
      const { subnetID, nodeID, end } = unsignedTx.validator
      if (!isCommitted) return
      diff.put(explorerTables.permissioned, { subnetID, nodeID }, { txID: tx.id, end })
      diff.put(explorerTables.permissionedEnds, { end, txID: tx.id }, { subnetID, nodeID })
      return
    }
    case "RemoveSubnetValidatorTx":
      removePermissioned(diff, unsignedTx, moment)
      return
    case "SetL1ValidatorWeightTx":
      removeL1Validator(diff, unsignedTx.message, moment)
      return
    case "RewardValidatorTx":
    case "RewardAutoRenewedValidatorTx": {
      const info = acceptedStaker(diff, unsignedTx.txID)
      if (info?.role !== "validator" || !leavesAfter(placed, diff)) return
      const reason = isCommitted ? DepartureReason.rewarded : DepartureReason.unrewarded
      depart(diff, { ...info, ...moment }, unsignedTx.txID, reason)
    }
  }
}

function removePermissioned(diff: Diff, { subnetID, nodeID }: ValidatorKey, moment: Moment): void {
  const validator = diff.get(explorerTables.permissioned, { subnetID, nodeID })
  if (!validator) return
  diff.delete(explorerTables.permissioned, { subnetID, nodeID })
  diff.delete(explorerTables.permissionedEnds, validator)
  depart(diff, { subnetID, nodeID, ...moment }, validator.txID, DepartureReason.removed)
}

function removeL1Validator(diff: Diff, message: Uint8Array, moment: Moment): void {
  const { validationID, weight } = openWarpMessage(message, "L1ValidatorWeight").message
  const validator = weight === 0n ? createdL1Validator(diff, validationID) : undefined
  if (validator) depart(diff, { ...validator, ...moment }, validationID, DepartureReason.removed)
}

/** The index of the first validator that leaves at its end, without a transaction: after those of all transactions of a block. */
const FIRST_EXPIRED = 0x8000_0000

/** Permissioned validators leave with the block that advances the chain's time to their end. */
function expire(diff: Diff, { height, time }: AcceptedBlock): void {
  for (let index = FIRST_EXPIRED; ; index++) {
    const first = diff.first(explorerTables.permissionedEnds)
    if (!first || first[0].end > time) return
    const [key, validator] = first
    diff.delete(explorerTables.permissionedEnds, key)
    diff.delete(explorerTables.permissioned, validator)
    depart(diff, { ...validator, height, index }, key.txID, DepartureReason.expired)
  }
}

function depart(diff: Diff, { subnetID, nodeID, height, index }: ValidatorKey & Moment, stakerID: ID, reason: number): void {
  diff.put(explorerTables.departures, { subnetID, height, index }, { nodeID, stakerID, reason })
}

/** A validator that left a subnet. */
export interface Departure extends Moment {
  readonly nodeID: NodeID
  /** The transaction that added the validator, or the validation ID of an L1 validator. */
  readonly stakerID: ID
  readonly reason: keyof typeof DepartureReason
}

const reasons = Object.keys(DepartureReason) as (keyof typeof DepartureReason)[]

export const departureOf = ({ height, index }: Moment, row: TypeOf<typeof explorerTables.departures.value>): Departure => ({
  ...{ height, index, nodeID: row.nodeID, stakerID: row.stakerID },
  reason: reasons[row.reason] as Departure["reason"],
})

/** Returns the validators that left a subnet, the last one first. */
export async function departuresOf(
  past: PastReader,
  subnetID: ID,
  page: MomentRange & { readonly limit: number },
): Promise<Departure[]> {
  const entries = await newestOf(past, { table: explorerTables.departures, under: [{ subnetID }], ...page })
  return entries.flatMap(({ found }) => found.map(([key, row]) => departureOf(key, row)))
}
