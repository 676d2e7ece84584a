import { after, type MaybeWork, type Work } from "../../../core/lib/work.js"
import { placeOfSet, type SegmentPlace, segmentAt } from "../../../core/readmodel/validatorSets/segmentAt.js"
import { tables } from "../../../core/state/tables.js"
import type { ID } from "../../../core/types/id.js"
import { type PrintedJson, printedJson } from "../../../jsonrpc/printedJson.js"
import type { Context } from "../../context.js"
import { ofBlock } from "../../lifetimes.js"
import { nodeTextOf, textFormatOf } from "../textFormat.js"
import { CanonicalPrinter, type NamedRow, namedRows, SetPrinter } from "./setPrinters.js"
import { validatorSetOutput } from "./setSchemas.js"

/** The height of a question about validator sets: a number, or the height that a block built now would name. */
export const heightOf = (height: bigint | "proposed", { node }: Context): bigint =>
  height === "proposed" ? node.proposedHeight() : height

/** The lifetime of an answer about the validator sets at a height. */
export const ofSetsAt = ofBlock<{ readonly height: bigint | "proposed" }>(
  ({ height }, context) => {
    const stateAt = heightOf(height, context)
    const id = context.view.get(tables.blockIDs, stateAt)
    return id && { id, stateAt }
  },
  ({ height }, { node }) => (height === "proposed" ? String(node.proposedHeight()) : ""),
)

/**
 * Prints the validator set of a subnet at a height; an empty set if the subnet never had a validator. It does so at once if the texts of the
 * segment are known, otherwise in steps.
 */
export function printSetAt(context: Context, subnetID: ID, height: bigint): MaybeWork<PrintedJson> {
  const place = placeOfSet(context.view, subnetID, height)
  if (!place) return printedJson(validatorSetOutput, new Map(), textFormatOf(context))
  const make = () => after(rowsOf(context, place), (rows) => new SetPrinter(rows, context.dialect))
  const printer = context.memo.value(`validatorSets ${keyOf(context, place)}`, ({ size }) => size, make)
  return after(printer, (made) => made.print(height))
}

/** Prints the signers of a subnet's validator set at a height; `undefined` if there are none. */
export function printCanonicalSetAt(context: Context, subnetID: ID, height: bigint): MaybeWork<PrintedJson | undefined> {
  const place = placeOfSet(context.view, subnetID, height)
  if (!place) return undefined
  const make = () => after(rowsOf(context, place), (rows) => new CanonicalPrinter(rows))
  const printer = context.memo.value(`canonicalSets ${keyOf(context, place)}`, ({ size }) => size, make)
  return after(printer, (made) => made.print(height))
}

/** Returns the rows of a segment with their texts. It works in steps, so that other calls can run in between. */
function* rowsOf(context: Context, place: SegmentPlace): Work<readonly NamedRow[]> {
  const segment = yield* segmentAt(context.view, place)
  yield
  const rows = yield* namedRows(segment, (nodeID) => nodeTextOf(context, nodeID))
  yield
  return rows
}

/** Returns the key of a segment. It depends on the segment's last block, and on a private chain also on the overrides. */
function keyOf({ changes, height, dialect }: Context, { subnetID, upTo, lastBlock, kind }: SegmentPlace): string {
  return `${dialect} ${subnetID} ${kind} ${lastBlock} ${changes.until(upTo, height)}`
}
