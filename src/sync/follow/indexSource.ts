import { Invalid } from "../../core/lib/invalid.js"
import type { BlockSource } from "./blockSource.js"
import { bytesOfHexText, HeightSource } from "./heightSource.js"
import type { HttpNode } from "./httpNode.js"
import { inOrder } from "./inOrder.js"

/** The path of AvalancheGo's index of the P-Chain's blocks. */
const INDEX_PATH = "/ext/index/P/block"
/** Number of blocks in one request; AvalancheGo returns at most 1,024. */
const RANGE = 256n
/** Number of ranges that are requested in parallel. */
const WIDTH = 4

/**
 * The blocks of a node with an index (`--index-enabled`): ranges of blocks in their wrappers. The first block after genesis has index 0.
 */
export class IndexSource extends HeightSource {
  override readonly kind: BlockSource["kind"] = "index"
  override readonly hasWrappers = true

  /** Returns whether a node has an index that begins with the first block. */
  static async isOf(node: HttpNode, signal: AbortSignal): Promise<boolean> {
    try {
      return (await rangeOf(node, 0n, 1n, signal)).length > 0
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      // An index exists and is empty: that of a chain without blocks will begin with the first one.
      return error.code === "sync.call_refused" && (await new HeightSource(node).height(signal)) === 0n
    }
  }

  protected override async *pieces(first: bigint, last: bigint, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (first > last) return
    const ranges = (last - first) / RANGE
    const begin = (number: bigint) => {
      const from = first + number * RANGE
      const count = last - from + 1n < RANGE ? last - from + 1n : RANGE
      return this.#rangeOrNothing(from - 1n, count, signal)
    }
    for await (const blocks of inOrder(0n, ranges, WIDTH, begin)) {
      yield* blocks
      // The index is written a moment after the block is accepted, so the rest is requested again.
      if (BigInt(blocks.length) < RANGE) return
    }
  }

  async #rangeOrNothing(startIndex: bigint, count: bigint, signal: AbortSignal): Promise<Uint8Array[]> {
    try {
      return await rangeOf(this.node, startIndex, count, signal)
    } catch (error) {
      // AvalancheGo refuses an index that it has not written yet.
      if (error instanceof Invalid && error.code === "sync.call_refused") return []
      throw error
    }
  }
}

async function rangeOf(node: HttpNode, startIndex: bigint, count: bigint, signal: AbortSignal): Promise<Uint8Array[]> {
  const params = { startIndex: startIndex.toString(), numToFetch: count.toString(), encoding: "hex" }
  const result = await node.call(INDEX_PATH, "index.getContainerRange", params, signal)
  const containers = (result as { containers?: unknown } | null)?.containers
  if (!Array.isArray(containers)) throw node.badAnswer("the index names no containers")
  return containers.map((each: { bytes?: unknown } | null) => bytesOfHexText(each?.bytes, node))
}
