import { decodeBlock } from "../../core/blocks/block.js"
import { bareBlock, type OuterBlock, readOuterBlock } from "../../core/consensus/proposer/outerBlock.js"
import { certificateCache } from "../../core/crypto/certificateCache.js"
import { valueOrThrow } from "../../core/lib/invalid.js"
import { parseCertificate } from "../../platform/certificate.js"
import { syncError } from "../errors.js"
import type { BlockSource, ChainItem, OverrideItem } from "./blockSource.js"

/** A block of a source, decoded. */
export interface BlockItem {
  readonly kind: "block"
  readonly block: OuterBlock
  /** The P-Chain height of its Warp messages, if the source names it. */
  readonly warpHeight: bigint | undefined
}

export type CopyItem = BlockItem | OverrideItem

/** Decodes the items of sources. */
export class ItemParser {
  readonly #parseCertificate = certificateCache(parseCertificate)

  /** Returns the blocks after a height, and the overrides. Throws `sync.bad_answer` and `sync.bad_block`. */
  parse(batch: readonly ChainItem[], height: bigint, { url, hasWrappers }: BlockSource): CopyItem[] {
    let expected = height + 1n
    return batch.flatMap((item): CopyItem[] => {
      if (item.kind !== "block") return item.kind === "override" ? [item] : []
      const block = this.#block(item.bytes, url, hasWrappers)
      if (block.height !== expected)
        throw syncError("sync.bad_answer", { url, reason: `block ${block.height} came in place of ${expected}` })
      expected++
      return [{ kind: "block", block, warpHeight: item.warpHeight }]
    })
  }

  #block(bytes: Uint8Array, url: string, hasWrappers: boolean): OuterBlock {
    return valueOrThrow(
      () => (hasWrappers ? readOuterBlock(bytes, { parseCertificate: this.#parseCertificate }) : bareBlock(decodeBlock(bytes))),
      ({ message, code }) => syncError("sync.bad_block", { url, reason: message, rule: code }),
    )
  }
}
