import type { ID } from "../../core/types/id.js"

/** The supply of AVAX after a block. */
export interface SupplyAt {
  readonly height: bigint
  readonly supply: bigint
}

/** Another node's API as a source of blocks. Its methods throw `sync.*` if the node does not answer or answers wrongly. */
export interface BlockSource {
  readonly url: string
  /** The way in which the blocks are requested: a stream of Serac, AvalancheGo's index, or one call for each height. */
  readonly kind: "stream" | "index" | "heights"
  /** True if the blocks have their ProposerVM wrappers. */
  readonly hasWrappers: boolean
  /** Returns the height of the last block that the node has accepted. */
  height(signal: AbortSignal): Promise<bigint>
  /** Returns the ID of the block at a height, without its wrapper; `undefined` if the node has none yet. */
  blockIDAt(height: bigint, signal: AbortSignal): Promise<ID | undefined>
  /** Returns the supply of AVAX after the node's last block, and the height of that block. */
  supply(signal: AbortSignal): Promise<SupplyAt>
  /** Returns the blocks from a height on, ascending and without gaps. It waits for new ones at the end, until it is aborted. */
  blocksFrom(first: bigint, signal: AbortSignal): AsyncIterable<Uint8Array>
}
