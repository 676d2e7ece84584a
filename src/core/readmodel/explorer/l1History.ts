import { blockAt } from "../../blocks/acceptedBlocks.js"
import { openWarpMessage } from "../../rules/warp.js"
import type { View } from "../../state/view.js"
import { acceptedTx } from "../../txs/execute.js"
import type { TxKind } from "../../txs/unsignedTx.js"
import type { ID } from "../../types/id.js"
import { innerOutput } from "../../types/output.js"
import { blockTime } from "../history.js"
import type { Moment } from "../tables.js"
import { mergeNewest, rowsOfList } from "./moments.js"
import { refundIDOf } from "./movements.js"
import { outputOf } from "./outputOf.js"
import { type L1ValidatorPlace, l1ValidatorOf } from "./subjects.js"
import { explorerTables } from "./tables.js"
import { txsOfSubject } from "./txQueries.js"

/** An event of an L1 validator. Amounts in nAVAX, time in Unix seconds. */
export interface L1ValidatorEvent extends Moment {
  readonly time: bigint
  readonly event: "registered" | "increased" | "weightSet" | "removed" | "disabled" | "ranOut"
  /** The transaction; `undefined` if the balance was used up. */
  readonly txID: ID | undefined
  readonly weight?: bigint
  readonly nonce?: bigint
  /** The amount that was added to the balance. */
  readonly added?: bigint
  /** The rest of the balance that was refunded. */
  readonly refund?: bigint
}

/** Returns the history of an L1 validator, newest first; `undefined` if it never existed. */
export function l1ValidatorHistory(
  view: View,
  validationID: ID,
  { before, limit }: { readonly before: Moment | undefined; readonly limit: number },
): { readonly validator: L1ValidatorPlace; readonly events: readonly L1ValidatorEvent[] } | undefined {
  const validator = l1ValidatorOf(view, validationID)
  if (!validator) return undefined
  const lists = [txMoments(view, validationID, before), lossMoments(view, validationID, validator, before)]
  const events: L1ValidatorEvent[] = []
  for (const { height, index, found } of mergeNewest(lists)) {
    const [{ txID }] = found as [L1Moment]
    const event = txID === undefined ? ranOutAt(view, validationID, height) : txEvent(view, txID, validator)
    if (event) events.push({ height, index, time: blockTime(view, height), txID, ...event })
    if (events.length >= limit) break
  }
  return { validator, events }
}

interface L1Moment extends Moment {
  readonly txID: ID | undefined
}

function* txMoments(view: View, validationID: ID, before: Moment | undefined): Iterable<L1Moment> {
  for (const [{ height, index }, { txID }] of rowsOfList(
    view,
    explorerTables.txsBySubject,
    { subject: validationID },
    { before },
  )) {
    yield { height, index, txID }
  }
}

/** The index of an event without a transaction: after all transactions of its block. */
const LAST_INDEX = 0xffff_ffff

/**
 * Returns the blocks before a moment in which the node lost weight while it was this validator. Earlier and later validators of the node
 * are not read.
 */
function* lossMoments(
  view: View,
  validationID: ID,
  { subnetID, nodeID }: L1ValidatorPlace,
  before: Moment | undefined,
): Iterable<L1Moment> {
  const { first, last } = lifeOf(view, validationID)
  const highest = before && (last === undefined || before.height <= last) ? before.height - 1n : last
  if (highest !== undefined && highest < 0n) return
  const range = { under: { subnetID, nodeID }, ...(highest === undefined ? {} : { from: { height: highest } }) }
  for (const [{ height }, { decrease }] of view.rows(explorerTables.weightHistory, range)) {
    if (height < first) return
    if (decrease) yield { height, index: LAST_INDEX, txID: undefined }
  }
}

/** Returns the heights at which a validator was created and removed; `last` is omitted if it was not removed. */
function lifeOf(view: View, validationID: ID): { readonly first: bigint; readonly last: bigint | undefined } {
  const newestOf = (kinds: readonly TxKind[]) => txsOfSubject(view, validationID, { kinds, limit: 1 })[0]
  const first = newestOf(["ConvertSubnetToL1Tx", "RegisterL1ValidatorTx"])?.height ?? 0n
  const newest = newestOf([])
  const tx = newest?.kind === "SetL1ValidatorWeightTx" ? acceptedTx(view, newest.txID)?.unsignedTx : undefined
  const isRemoved =
    tx?.kind === "SetL1ValidatorWeightTx" && openWarpMessage(tx.message, "L1ValidatorWeight").message.weight === 0n
  return { first, last: isRemoved ? newest?.height : undefined }
}

/** Returns whether the balance was used up at a height: the validator lost weight without a transaction. */
function ranOutAt(view: View, validationID: ID, height: bigint): Pick<L1ValidatorEvent, "event"> | undefined {
  const from = isOption(view, height) ? height - 1n : height
  const table = explorerTables.txsBySubject
  for (const [moment, { txID }] of rowsOfList(view, table, { subject: validationID }, { to: height })) {
    if (moment.height >= from) return undefined
    return endsValidation(view, txID) ? undefined : { event: "ranOut" }
  }
  return undefined
}

function isOption(view: View, height: bigint): boolean {
  return /(Commit|Abort)Block$/.test(blockAt(view, height)?.kind ?? "")
}

function endsValidation(view: View, txID: ID): boolean {
  const tx = acceptedTx(view, txID)
  return tx !== undefined && refundIDOf(tx) !== undefined
}

function txEvent(
  view: View,
  txID: ID,
  validator: L1ValidatorPlace,
): Omit<L1ValidatorEvent, "height" | "index" | "time" | "txID"> | undefined {
  const tx = acceptedTx(view, txID)
  switch (tx?.unsignedTx.kind) {
    case "ConvertSubnetToL1Tx":
    case "RegisterL1ValidatorTx":
      return { event: "registered", weight: validator.weight, added: validator.balance }
    case "IncreaseL1ValidatorBalanceTx":
      return { event: "increased", added: tx.unsignedTx.balance }
    case "DisableL1ValidatorTx":
      return { event: "disabled", refund: refundOf(view, txID, tx.unsignedTx.outputs.length) }
    case "SetL1ValidatorWeightTx": {
      const { weight, nonce } = openWarpMessage(tx.unsignedTx.message, "L1ValidatorWeight").message
      if (weight > 0n) return { event: "weightSet", weight, nonce }
      return { event: "removed", weight, nonce, refund: refundOf(view, txID, tx.unsignedTx.outputs.length) }
    }
    default:
      return undefined
  }
}

function refundOf(view: View, txID: ID, outputIndex: number): bigint {
  const refund = outputOf(view, txID, outputIndex)
  return refund ? innerOutput(refund.output).amount : 0n
}
