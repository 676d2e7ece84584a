import type { ChargedPace } from "../../../core/lib/pace.js"
import { placeOfSet, type SegmentPlace, segmentAt } from "../../../core/readmodel/validatorSets/segmentAt.js"
import { tables } from "../../../core/state/tables.js"
import type { ID } from "../../../core/types/id.js"
import { type NodeID, nodeIDText } from "../../../core/types/id.js"
import { type PrintedJson, printedJson } from "../../../jsonrpc/printedJson.js"
import type { ParseContext } from "../../../jsonrpc/schema/param.js"
import type { Context } from "../../context.js"
import { ofBlock } from "../../lifetimes.js"
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

/** Prints the validator set of a subnet at a height; an empty set if the subnet never had a validator. */
export async function printSetAt(context: Context, subnetID: ID, height: bigint, pace: ChargedPace): Promise<PrintedJson> {
  const place = await context.past(pace).read((view) => placeOfSet(view, subnetID, height))
  if (!place) return printedJson(validatorSetOutput, new Map(), textFormatOf(context))
  const makePrinter = async () => new SetPrinter(await rowsOf(context, place, pace), context.dialect)
  const printer = await context.memo.made(`validatorSets ${keyOf(context, place)}`, makePrinter, ({ size }) => size)
  return printer.print(height)
}

/** Prints the signers of a subnet's validator set at a height; `undefined` if there are none. */
export async function printCanonicalSetAt(
  context: Context,
  subnetID: ID,
  height: bigint,
  pace: ChargedPace,
): Promise<PrintedJson | undefined> {
  const place = await context.past(pace).read((view) => placeOfSet(view, subnetID, height))
  if (!place) return undefined
  const makePrinter = async () => new CanonicalPrinter(await rowsOf(context, place, pace))
  const printer = await context.memo.made(`canonicalSets ${keyOf(context, place)}`, makePrinter, ({ size }) => size)
  return printer.print(height)
}

/** Returns the rows of a segment with their texts. */
async function rowsOf(context: Context, place: SegmentPlace, pace: ChargedPace): Promise<readonly NamedRow[]> {
  const segment = await context.past(pace).read((view) => segmentAt(view, place))
  if (pace.isDue) await pace.pause()
  return namedRows(segment, (nodeID) => nodeTextOf(context, nodeID), pace)
}

/** Returns the key of a segment. It depends on the segment's last block, and on a private chain also on the overrides. */
function keyOf({ changes, height, dialect }: Context, { subnetID, upTo, lastBlock, kind }: SegmentPlace): string {
  return `${dialect} ${subnetID} ${kind} ${lastBlock} ${changes.until(upTo, height)}`
}

/** Returns the text format of a node's IDs and addresses, with a cache for those that recur. */
function textFormatOf({ node, dialect, memo }: Context): ParseContext {
  return { hrp: node.hrp, dialect, cachedText: (kind, value, make) => memo.text(kind, value, make) }
}

/** Returns a node ID as text from the cache, because the same few thousand are in every list of validators. */
function nodeTextOf({ memo }: Pick<Context, "memo">, nodeID: NodeID): string {
  return memo.text("node ID", nodeID, () => nodeIDText(nodeID))
}
