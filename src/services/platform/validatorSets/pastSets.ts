import { after, type MaybeWork, type Work } from "../../../core/lib/work.js"
import { placeOfSet, type SegmentPlace, segmentAt } from "../../../core/readmodel/validatorSets/segmentAt.js"
import type { ID } from "../../../core/types/id.js"
import { type PrintedJson, printedJson } from "../../../jsonrpc/printedJson.js"
import { cachedOr } from "../../cache/answerCache.js"
import type { Context } from "../../context.js"
import { nodeTextOf, textFormatOf } from "../textFormat.js"
import { CanonicalPrinter, type NamedRow, namedRows, SetPrinter } from "./setPrinters.js"
import { validatorSetOutput } from "./setSchemas.js"

/**
 * Prints the validator set of a subnet at a height; an empty set if the subnet never had a validator. It does so at once if the texts of the
 * segment are cached, otherwise in steps.
 */
export function printSetAt(context: Context, subnetID: ID, height: bigint): MaybeWork<PrintedJson> {
  const place = placeOfSet(context.view, subnetID, height)
  if (!place) return printedJson(validatorSetOutput, new Map(), textFormatOf(context))
  const slot = context.cache.alwaysSlot<SetPrinter>(`validatorSets ${keyOf(context, place)}`)
  return after(
    cachedOr(slot, () => setPrinterOf(context, place)),
    (printer) => printer.print(height),
  )
}

function* setPrinterOf(context: Context, place: SegmentPlace): Work<SetPrinter> {
  return new SetPrinter(yield* rowsOf(context, place), context.dialect)
}

/** Prints the signers of a subnet's validator set at a height; `undefined` if there are none. */
export function* printCanonicalSetAt(context: Context, subnetID: ID, height: bigint): Work<PrintedJson | undefined> {
  const place = placeOfSet(context.view, subnetID, height)
  if (!place) return undefined
  const { value, store } = context.cache.alwaysSlot<CanonicalPrinter>(`canonicalSets ${keyOf(context, place)}`)
  const printer = value ?? store(new CanonicalPrinter(yield* rowsOf(context, place)))
  return printer.print(height)
}

/** Returns the rows of a segment with their texts. It works in steps, so that other calls can run in between. */
function* rowsOf(context: Context, place: SegmentPlace): Work<readonly NamedRow[]> {
  const segment = yield* segmentAt(context.view, place)
  yield
  const rows = yield* namedRows(segment, (nodeID) => nodeTextOf(context, nodeID))
  yield
  return rows
}

/** Returns the cache key of a segment. It depends on the segment's last block, and on a private chain also on the overrides. */
function keyOf({ cache, height }: Context, { subnetID, upTo, lastBlock, kind }: SegmentPlace): string {
  return `${subnetID} ${kind} ${lastBlock} ${cache.stateAfter(upTo, height)}`
}
