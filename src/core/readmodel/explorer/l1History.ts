import { blockAt } from "../../blocks/acceptedBlocks.js"
import { openWarpMessage } from "../../rules/warp.js"
import type { PastReader, View } from "../../state/view.js"
import { acceptedTx } from "../../txs/execute.js"
import type { Tx } from "../../txs/tx.js"
import type { ID } from "../../types/id.js"
import { innerOutput } from "../../types/output.js"
import { blockTime } from "../blockTimes.js"
import { createdL1Validator, type NewL1Validator } from "../creations.js"
import type { Moment } from "../tables.js"
import { compareNewest, type MomentRange, newestOf, rowsOfList } from "./moments.js"
import { outputOf, refundIDOf } from "./movements.js"
import { explorerTables } from "./tables.js"
import { newestTxOf } from "./txQueries.js"

export const l1EventKinds = ["registered", "increased", "weightSet", "removed", "disabled", "ranOut"] as const

/** An event of an L1 validator. Amounts in nAVAX, time in Unix seconds. */
export interface L1ValidatorEvent extends Moment {
  readonly time: bigint
  readonly event: (typeof l1EventKinds)[number]
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
export async function l1ValidatorHistory(
  past: PastReader,
  validationID: ID,
  { kinds, limit, from = 0n, ...range }: L1HistoryQuery,
): Promise<{ readonly validator: NewL1Validator; readonly events: readonly L1ValidatorEvent[] } | undefined> {
  const found = await past.read((view) => lifeOf(view, validationID))
  if (!found) return undefined
  const { validator } = found
  const life = { ...found, first: found.first > from ? found.first : from }
  const events: L1ValidatorEvent[] = []
  for (let start = startOf(range); limit > 0; ) {
    const wanted = limit - events.length
    const moments = await momentsOf(past, validationID, life, start, wanted)
    const made = await past.each(moments, (view, moment) => eventAt(view, validationID, validator, moment))
    const isWanted = (event: L1ValidatorEvent) => kinds.length === 0 || kinds.includes(event.event)
    events.push(...made.filter((event) => event !== undefined).filter(isWanted))
    if (events.length >= limit || moments.length < wanted) break
    start = moments.at(-1)
  }
  return { validator, events }
}

/** A query for events of an L1 validator: all kinds if none are given. */
interface L1HistoryQuery extends MomentRange {
  readonly kinds: readonly L1ValidatorEvent["event"][]
  readonly limit: number
}

/** Returns the moment before which a list starts: the last one of the previous page, or the first one after the highest height. */
function startOf({ before, to }: MomentRange): Moment | undefined {
  return to !== undefined && (!before || before.height > to) ? { height: to + 1n, index: 0 } : before
}

interface L1Moment extends Moment {
  readonly txID: ID | undefined
}

/** Returns the first moments after one at which a transaction concerned a validator, or its node lost weight, newest first. */
async function momentsOf(
  past: PastReader,
  validationID: ID,
  life: L1ValidatorLife,
  before: Moment | undefined,
  limit: number,
): Promise<L1Moment[]> {
  const table = explorerTables.txsBySubject
  const under = [{ subject: validationID }]
  const entries = await newestOf(past, { table, under, before, limit, from: life.first })
  const txs = entries.map(({ height, index, found: [row] }): L1Moment => ({ height, index, txID: row?.[1].txID }))
  const losses = await lossMoments(past, life, before, limit)
  return [...txs, ...losses].sort(compareNewest).slice(0, limit)
}

/** The index of an event without a transaction: after all transactions of its block. */
const LAST_INDEX = 0xffff_ffff

/**
 * Returns the first blocks before a moment in which the node lost weight while it was this validator. Earlier and later validators of the
 * node are not read.
 */
async function lossMoments(
  past: PastReader,
  life: L1ValidatorLife,
  before: Moment | undefined,
  limit: number,
): Promise<L1Moment[]> {
  const { first, last, validator } = life
  const { subnetID, nodeID } = validator
  const losses: L1Moment[] = []
  let highest = before && (last === undefined || before.height <= last) ? before.height - 1n : last
  while (highest === undefined || highest >= 0n) {
    const range = { under: { subnetID, nodeID }, ...(highest === undefined ? {} : { from: { height: highest } }) }
    const rows = await past.merged({ table: explorerTables.weightHistory, ranges: [range], compare: compareHeights, limit })
    for (const [{ height }, { decrease }] of rows) {
      if (decrease && height >= first) losses.push({ height, index: LAST_INDEX, txID: undefined })
    }
    const lowest = rows.at(-1)?.[0].height ?? 0n
    if (losses.length >= limit || rows.length < limit || lowest < first) break
    highest = lowest - 1n
  }
  return losses
}

const compareHeights = (a: { readonly height: bigint }, b: { readonly height: bigint }): number => Number(b.height - a.height)

/** An L1 validator with the heights at which it was created and removed; `last` is omitted if it was not removed. */
interface L1ValidatorLife {
  readonly validator: NewL1Validator
  readonly first: bigint
  readonly last: bigint | undefined
}

function lifeOf(view: View, validationID: ID): L1ValidatorLife | undefined {
  const validator = createdL1Validator(view, validationID)
  if (!validator) return undefined
  const first = newestTxOf(view, validationID, ["ConvertSubnetToL1Tx", "RegisterL1ValidatorTx"])?.height ?? 0n
  const [newest] = rowsOfList(view, explorerTables.txsBySubject, { subject: validationID }, {})
  const tx = newest && acceptedTx(view, newest[1].txID)?.unsignedTx
  const isRemoved =
    tx?.kind === "SetL1ValidatorWeightTx" && openWarpMessage(tx.message, "L1ValidatorWeight").message.weight === 0n
  return { validator, first, last: isRemoved ? newest?.[0].height : undefined }
}

function eventAt(
  view: View,
  validationID: ID,
  validator: NewL1Validator,
  { height, index, txID }: L1Moment,
): L1ValidatorEvent | undefined {
  const tx = txID === undefined ? undefined : (acceptedTx(view, txID) as Tx)
  const event = tx ? txEvent(view, tx, validator) : ranOutAt(view, validationID, height)
  return event && { height, index, time: blockTime(view, height), txID, ...event }
}

/** Returns whether the balance was used up at a height: the validator lost weight without a transaction. */
export function ranOutAt(view: View, validationID: ID, height: bigint): L1EventFacts | undefined {
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

export type L1EventFacts = Omit<L1ValidatorEvent, "height" | "index" | "time" | "txID">

/** Returns what a transaction did to an L1 validator. */
export function txEvent(view: View, { id, unsignedTx: tx }: Tx, validator: NewL1Validator): L1EventFacts | undefined {
  switch (tx.kind) {
    case "ConvertSubnetToL1Tx":
    case "RegisterL1ValidatorTx":
      return { event: "registered", weight: validator.weight, added: validator.balance }
    case "IncreaseL1ValidatorBalanceTx":
      return { event: "increased", added: tx.balance }
    case "DisableL1ValidatorTx":
      return { event: "disabled", refund: refundOf(view, id, tx.outputs.length) }
    case "SetL1ValidatorWeightTx": {
      const { weight, nonce } = openWarpMessage(tx.message, "L1ValidatorWeight").message
      if (weight > 0n) return { event: "weightSet", weight, nonce }
      return { event: "removed", weight, nonce, refund: refundOf(view, id, tx.outputs.length) }
    }
    default:
      return undefined
  }
}

function refundOf(view: View, txID: ID, outputIndex: number): bigint {
  const refund = outputOf(view, txID, outputIndex)
  return refund ? innerOutput(refund.output).amount : 0n
}
