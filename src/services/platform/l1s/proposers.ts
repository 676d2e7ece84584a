import { min } from "../../../core/lib/math64.js"
import type { ChargedPace } from "../../../core/lib/pace.js"
import { epochSecondsOf } from "../../../core/networks/upgrades.js"
import { heightAtTime } from "../../../core/readmodel/explorer/moments.js"
import { validatorSetAt } from "../../../core/rules/validatorSet.js"
import { tables } from "../../../core/state/tables.js"
import type { View } from "../../../core/state/view.js"
import { EMPTY_NODE_ID, type ID, type NodeID } from "../../../core/types/id.js"
import { bool, described, list } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { nullable } from "../../../jsonrpc/schema/outputs.js"
import type { Context } from "../../context.js"
import { nodeID } from "../../kinds.js"
import { requireReached } from "../params/heights.js"

/** Who may propose the next block of an L1. */
export const proposersOutput = object({
  isKnown: described(
    bool,
    "False if the P-Chain height that the last block of the L1 names is unknown: pass `l1Epoch`, or ask the node that hosts the L1.",
  ),
  fromHeight: described(nullable(u64), "The lowest P-Chain height that the last block of the L1 may name."),
  toHeight: described(nullable(u64), "The highest P-Chain height that it may name."),
  isAnyone: described(bool, "True if no validator was active at this height. Everyone may propose then, without a signature."),
  nodeIDs: described(
    list(nodeID),
    "The validators that were active at each of these heights. One of them must run and propose; a validator that was not active then cannot, also if its balance is increased now.",
  ),
  uncertain: described(list(nodeID), "The validators that were active at some of these heights."),
})

/** The P-Chain heights that the last block of an L1 may name. */
export interface NamedHeights {
  readonly from: bigint
  readonly to: bigint
}

/** The epoch of a chain, as `proposervm.getCurrentEpoch` returns it. Time in Unix seconds. */
export interface L1Epoch {
  readonly pChainHeight: bigint
  readonly startTime: bigint
}

/** The time by which clocks, and the times of blocks, may be ahead, in seconds. */
const CLOCK_MARGIN = 20n

/**
 * Returns the P-Chain heights that the last block of a chain may name. A block names no lower height than its epoch, and no block of an epoch, nor
 * the one that begins it, is later than the end of the epoch. Returns `undefined` without epochs, which is before Granite. Throws
 * `platform.future_height` if this node does not have the height of the epoch yet.
 */
export async function heightsOfEpoch(
  context: Context,
  { pChainHeight: from, startTime }: L1Epoch,
  pace: ChargedPace,
): Promise<NamedHeights | undefined> {
  if (startTime === 0n) return undefined
  requireReached(from, context)
  const end = startTime + epochSecondsOf(context.rules.upgrades) + CLOCK_MARGIN
  const to = await heightAtTime(context.past(pace), end, context.height)
  return { from, to: to === undefined || to < from ? from : to }
}

/** Returns the height that the last block of a chain names which this node hosts; 0 before its first block, and `undefined` if it hosts none. */
export function heightsHosted({ node, height }: Context, subnetID: ID): NamedHeights | undefined {
  const chain = node.vms?.chains().find((each) => each.subnetID === subnetID && each.namedHeight !== undefined)
  return chain?.namedHeight === undefined
    ? undefined
    : { from: min(chain.namedHeight, height), to: min(chain.namedHeight, height) }
}

/** Returns who may propose the next block of an L1 whose last block names one of these heights. */
export async function proposersAt(context: Context, subnetID: ID, heights: NamedHeights | undefined, pace: ChargedPace) {
  if (!heights) return { isKnown: false, fromHeight: null, toHeight: null, isAnyone: false, nodeIDs: [], uncertain: [] }
  const { always, sometimes } = await context.past(pace).read((view) => nodesBetween(view, subnetID, heights))
  const uncertain = [...sometimes].filter((each) => !always.has(each)).sort()
  return {
    isKnown: true,
    fromHeight: heights.from,
    toHeight: heights.to,
    isAnyone: sometimes.size === 0,
    nodeIDs: [...always].sort(),
    uncertain,
  }
}

/** Returns the nodes that were active validators at all of these heights, and those that were at one of them. */
function nodesBetween(view: View, subnetID: ID, { from, to }: NamedHeights) {
  const weights = new Map([...validatorSetAt(view, subnetID, to)].map(([node, { weight }]) => [node, weight]))
  // The weight of inactive validators has no node.
  weights.delete(EMPTY_NODE_ID)
  const [always, sometimes] = [new Set<NodeID>(weights.keys()), new Set<NodeID>(weights.keys())]
  for (const [{ height, nodeID: node }, { decrease, amount }] of view.rows(tables.weightDiffs, {
    under: { subnetID },
    from: { height: to },
  })) {
    if (height <= from) break
    if (node === EMPTY_NODE_ID) continue
    const weight = (weights.get(node) ?? 0n) + (decrease ? amount : -amount)
    weights.set(node, weight)
    if (weight === 0n) always.delete(node)
    else sometimes.add(node)
  }
  return { always, sometimes }
}
