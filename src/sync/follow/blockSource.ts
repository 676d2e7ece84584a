import type { CopyHeader } from "../../core/networks/chainIdentity.js"
import type { ID } from "../../core/types/id.js"
import type { ChainFrame } from "./chainFrames.js"

export type ChainItem =
  | Extract<ChainFrame, { kind: "block" | "override" }>
  /** The header of the chain, which comes first, and the number of overrides, which follow. */
  | { readonly kind: "chain"; readonly header: CopyHeader; readonly overrides: bigint }
  /** The node has reverted the last block of the copy, or an override after it. */
  | { readonly kind: "revert" }
  /** A node that has to be asked for blocks has no more at present. */
  | { readonly kind: "idle" }

/** An override of a private chain: its number, and its row. It comes before the block that follows it. */
export type OverrideItem = Extract<ChainFrame, { kind: "override" }>

/** A block as one source returned it. */
export interface GivenBlock {
  readonly height: bigint
  readonly id: ID
}

/** The header of the chain of a source, and its genesis if the source sends it. */
export interface SourceChain {
  readonly header: CopyHeader
  readonly genesis: Uint8Array | undefined
}

/** Another node's API as a source of blocks. Its methods throw `sync.*` if the node does not answer or answers wrongly. */
export interface BlockSource {
  readonly url: string
  /** The way in which the blocks are requested: a stream of Serac, AvalancheGo's index, or one call for each height. */
  readonly kind: "stream" | "index" | "heights"
  readonly hasWrappers: boolean
  /** Returns the height of the last block that the node has accepted. */
  height(signal: AbortSignal): Promise<bigint>
  /** Returns the ID of the block at a height, without its wrapper; `undefined` if the node has none yet. */
  blockIDAt(height: bigint, signal: AbortSignal): Promise<ID | undefined>
  /** Returns the supply of AVAX after the node's last block, and the height of that block. */
  supply(signal: AbortSignal): Promise<{ readonly height: bigint; readonly supply: bigint }>
  /** Returns the number of L1s whose VMs the node runs; omitted if it cannot be asked. A copy does not have them. */
  l1Count?(signal: AbortSignal): Promise<number>
  /** Returns the header of the chain, which only Serac answers; `undefined` for other nodes. */
  chain?(signal: AbortSignal): Promise<SourceChain | undefined>
  /**
   * Returns the blocks after the last one of a copy, ascending and without gaps, and all overrides. It waits for new ones at the end, until it is
   * aborted.
   */
  itemsAfter(last: GivenBlock, signal: AbortSignal): AsyncIterable<ChainItem>
}
