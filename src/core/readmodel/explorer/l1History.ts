import { openWarpMessage } from "../../rules/warp.js"
import { stepOfTx } from "../../state/facts.js"
import type { PastReader, View } from "../../state/view.js"
import { acceptedTx } from "../../txs/execute.js"
import type { Tx } from "../../txs/tx.js"
import type { ID } from "../../types/id.js"
import { innerOutput } from "../../types/output.js"
import { blockTime } from "../blockTimes.js"
import { createdL1Validator, type NewL1Validator } from "../creations.js"
import { outputOf } from "../owners.js"
import type { Moment } from "../tables.js"
import { compareNewest, type MomentRange, newestOf } from "./moments.js"
import { explorerTables } from "./tables.js"

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

/**
 * Returns the history of an L1 validator, newest first; `undefined` if it never existed. The index of an event is the step of its block, because
 * a balance may be used up before the transactions of a block and after them.
 */
export async function l1ValidatorHistory(
  past: PastReader,
  validationID: ID,
  { kinds, limit, ...range }: L1HistoryQuery,
): Promise<{ readonly validator: NewL1Validator; readonly events: readonly L1ValidatorEvent[] } | undefined> {
  const validator = await past.read((view) => createdL1Validator(view, validationID))
  if (!validator) return undefined
  const events: L1ValidatorEvent[] = []
  for (let before = range.before; limit > 0; ) {
    const wanted = limit - events.length
    const moments = await momentsOf(past, validationID, { ...range, before, limit: wanted })
    const made = await past.each(moments, (view, moment) => eventAt(view, validator, moment))
    const isWanted = (event: L1ValidatorEvent) => kinds.length === 0 || kinds.includes(event.event)
    events.push(...made.filter((event) => event !== undefined).filter(isWanted))
    if (events.length >= limit || moments.length < wanted) break
    before = moments.at(-1)
  }
  return { validator, events }
}

/** A query for events of an L1 validator: all kinds if none are given. */
interface L1HistoryQuery extends MomentRange {
  readonly kinds: readonly L1ValidatorEvent["event"][]
  readonly limit: number
}

interface L1Moment extends Moment {
  readonly txID: ID | undefined
}

/** Returns the first moments in a range at which a transaction concerned a validator, or its balance was used up, newest first. */
async function momentsOf(
  past: PastReader,
  validationID: ID,
  range: MomentRange & { readonly limit: number },
): Promise<L1Moment[]> {
  // The transactions before the first one and before the advance of time are the same: those of lower blocks.
  const before = range.before && { ...range.before, index: Math.max(range.before.index - stepOfTx(0), 0) }
  const under = [{ subject: validationID }]
  const entries = await newestOf(past, { ...range, table: explorerTables.txsBySubject, under, before })
  const txs = entries.map(
    ({ height, index, found: [row] }): L1Moment => ({ height, index: stepOfTx(index), txID: row?.[1].txID }),
  )
  const runOuts = await newestOf(past, { ...range, table: explorerTables.runOuts, under: [{ validationID }] })
  const all = [...txs, ...runOuts.map(({ height, index }): L1Moment => ({ height, index, txID: undefined }))]
  return all.sort(compareNewest).slice(0, range.limit)
}

function eventAt(view: View, validator: NewL1Validator, { height, index, txID }: L1Moment): L1ValidatorEvent | undefined {
  const tx = txID === undefined ? undefined : (acceptedTx(view, txID) as Tx)
  const event: L1EventFacts | undefined = tx ? txEvent(view, tx, validator) : { event: "ranOut" }
  return event && { height, index, time: blockTime(view, height), txID, ...event }
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
