import { type Block, decodeBlock, heightIn } from "../../blocks/block.js"
import { warpMessagesOf } from "../../chain/warpHeight.js"
import { concatBytes } from "../../lib/bytes.js"
import { chainTimeOf } from "../../rules/context.js"
import { ZERO_EPOCH } from "../../rules/epoch.js"
import type { Diff } from "../../state/diff.js"
import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import { type OuterBlock, readOuterBlock, VERIFIED_BEFORE } from "./outerBlock.js"
import { wrapperTables } from "./tables.js"
import { type OuterParent, wrapperPositionOf } from "./wrapperRules.js"

/** Writes the wrapper of an accepted block; the block itself is written by the chain. */
export function putWrapper(diff: Diff, { id, height, bytes, inner, wrapper }: OuterBlock): void {
  if (!wrapper) return
  const tail = wrapper.kind === "ProposerVMOption" ? 0 : tailSize(wrapper)
  const end = bytes.length - tail
  const head = bytes.subarray(0, end - inner.bytes.length)
  diff.put(wrapperTables.wrappers, id, { height, head, tail: bytes.subarray(end) })
  diff.put(wrapperTables.wrapperIDs, height, id)
}

/** Writes the P-Chain height at which the Warp messages of an accepted block were verified, if it has any. */
export function putWarpHeight(diff: Diff, block: Block, pChainHeight: bigint): void {
  if (warpMessagesOf(block).length > 0) diff.put(wrapperTables.warpHeights, block.height, pChainHeight)
}

/** Counts the bytes after the inner block: the epoch, if the kind has one, and the signature with its length. */
function tailSize(wrapper: { readonly kind: string; readonly signature: Uint8Array }): number {
  return (wrapper.kind === "ProposerVMGraniteBlock" ? 24 : 0) + 4 + wrapper.signature.length
}

/** Returns the outer ID of the accepted block at a height; `undefined` above the last accepted one. */
export function outerIDAt(view: View, height: bigint): ID | undefined {
  return view.get(wrapperTables.wrapperIDs, height) ?? view.get(tables.blockIDs, height)
}

export function outerBytesAt(view: View, height: bigint): Uint8Array | undefined {
  const inner = innerBytesAt(view, height)
  const id = inner && view.get(wrapperTables.wrapperIDs, height)
  if (!inner || id === undefined) return inner
  const row = view.get(wrapperTables.wrappers, id)
  if (!row) throw new Error(`the store has no wrapper of the block at height ${height}`)
  return concatBytes(row.head, inner, row.tail)
}

/** The height of an accepted block by its outer ID; a wrapped block is not found by its inner ID. */
export function heightOfOuter(view: View, id: ID): bigint | undefined {
  const height = view.get(wrapperTables.wrappers, id)?.height
  if (height !== undefined) return height
  const bare = view.get(tables.blocks, id)
  const bareHeight = bare && (heightIn(bare) ?? decodeBlock(bare).height)
  return bareHeight !== undefined && outerIDAt(view, bareHeight) === id ? bareHeight : undefined
}

export function outerBlockAt(view: View, height: bigint): OuterBlock | undefined {
  const bytes = outerBytesAt(view, height)
  return bytes && readOuterBlock(bytes, VERIFIED_BEFORE)
}

/** Returns an accepted block that the state must have. */
export function requireOuterBlock(view: View, height: bigint): OuterBlock {
  const block = outerBlockAt(view, height)
  if (!block) throw new Error(`the store has no block at the accepted height ${height}`)
  return block
}

/** Returns a block as the parent of its children, against which their wrappers are checked. An undecided option is given with its proposal. */
export function outerParentOf(block: OuterBlock, state: View, proposal?: OuterBlock): OuterParent {
  const { wrapper, inner, height } = block
  // An option has the time, height and epoch of its proposal.
  if (wrapper?.kind === "ProposerVMOption")
    return { ...outerParentOf(proposal ?? requireOuterBlock(state, height - 1n), state), block }
  const timestamp = "time" in inner ? inner.time : chainTimeOf(state)
  return { ...(wrapperPositionOf(block) ?? { timestamp, pChainHeight: 0n, epoch: ZERO_EPOCH }), block }
}

/** A proposal that waits for its option is accepted, and yet not among the chain's blocks. */
function innerBytesAt(view: View, height: bigint): Uint8Array | undefined {
  const id = view.get(tables.blockIDs, height)
  if (id !== undefined) return view.get(tables.blocks, id)
  const waiting = view.get(tables.waitingProposal, null)
  return waiting && decodeBlock(waiting).height === height ? waiting : undefined
}
