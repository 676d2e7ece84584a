import { placeOfSet, type SegmentPlace, segmentAt } from "../../../core/readmodel/validatorSets/segmentAt.js"
import { tables } from "../../../core/state/tables.js"
import type { ID } from "../../../core/types/id.js"
import type { Raw } from "../../../jsonrpc/method.js"
import type { Context } from "../../context.js"
import { nodeTextOf } from "../spelling.js"
import { CanonicalPrinter } from "./canonicalPrinter.js"
import { SetPrinter } from "./setPrinter.js"

/** Prints the validator set of a subnet at a height; `undefined` where it has never had one. */
export function printSetAt(context: Context, subnetID: ID, height: bigint): Raw | undefined {
  const place = placeOfSet(context.view, subnetID, height)
  if (!place) return undefined
  const make = () => new SetPrinter(segmentAt(context.view, place), context.dialect, (nodeID) => nodeTextOf(context, nodeID))
  return context.cache.always(`validatorSets ${keyOf(context, place)}`, make).print(height)
}

/** Prints the signers of a subnet's validator set at a height; `undefined` where there are none. */
export function printCanonicalSetAt(context: Context, subnetID: ID, height: bigint): Raw | undefined {
  const place = placeOfSet(context.view, subnetID, height)
  if (!place) return undefined
  const make = () => new CanonicalPrinter(segmentAt(context.view, place), (nodeID) => nodeTextOf(context, nodeID))
  return context.cache.always(`canonicalSets ${keyOf(context, place)}`, make).print(height)
}

/** What determines a segment: its last block. */
function keyOf({ view }: Context, { subnetID, upTo, kind }: SegmentPlace): string {
  return `${subnetID} ${kind} ${view.get(tables.blockIDs, upTo)}`
}
