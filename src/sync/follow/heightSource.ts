import { setTimeout } from "node:timers/promises"
import { decodeBlock } from "../../core/blocks/block.js"
import { valueOrThrow } from "../../core/lib/invalid.js"
import { fromHexText } from "../../core/types/hexText.js"
import type { ID } from "../../core/types/id.js"
import type { BlockSource, ChainItem, GivenBlock } from "./blockSource.js"
import type { HttpNode } from "./httpNode.js"
import { inOrder } from "./inOrder.js"

export const P_CHAIN_PATH = "/ext/bc/P"

/** Number of blocks that are requested in parallel. */
const WIDTH = 32
/** Interval at which a node is asked for new blocks, milliseconds. */
const POLL_MS = 200

/** The blocks of any node, with one call for each: `platform.getBlockByHeight` returns them without wrappers. */
export class HeightSource implements BlockSource {
  readonly kind: BlockSource["kind"] = "heights"
  readonly hasWrappers: boolean = false
  protected readonly node: HttpNode

  constructor(node: HttpNode) {
    this.node = node
  }

  get url(): string {
    return this.node.url
  }

  async height(signal: AbortSignal): Promise<bigint> {
    const result = await this.node.call(P_CHAIN_PATH, "platform.getHeight", {}, signal)
    const height = (result as { height?: unknown } | null)?.height
    if (!/^\d{1,20}$/.test(String(height))) throw this.node.badAnswer("platform.getHeight has no height")
    return BigInt(height as string)
  }

  async blockIDAt(height: bigint, signal: AbortSignal): Promise<ID | undefined> {
    if (height > (await this.height(signal))) return undefined
    const bytes = await this.#blockAt(height, signal)
    return decodeBlock(bytes, { maxSize: bytes.length }).id
  }

  async supply(signal: AbortSignal) {
    const result = await this.node.call(P_CHAIN_PATH, "platform.getCurrentSupply", {}, signal)
    const { height, supply } = (result ?? {}) as { height?: unknown; supply?: unknown }
    if ([height, supply].every((each) => /^\d{1,20}$/.test(String(each)))) {
      return { height: BigInt(height as string), supply: BigInt(supply as string) }
    }
    throw this.node.badAnswer("platform.getCurrentSupply has no supply and height")
  }

  async *itemsAfter({ height }: GivenBlock, signal: AbortSignal): AsyncGenerator<ChainItem> {
    for (let next = height + 1n; ; ) {
      const begun = next
      const last = await this.height(signal)
      for await (const bytes of this.pieces(next, last, signal)) {
        yield { kind: "block", bytes, warpHeight: undefined }
        next++
      }
      if (next > last) yield { kind: "idle" }
      if (next > last || next === begun) await setTimeout(POLL_MS, undefined, { signal })
    }
  }

  /** Returns the blocks between two heights, both included. */
  protected pieces(first: bigint, last: bigint, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return inOrder(first, last, WIDTH, (height) => this.#blockAt(height, signal))
  }

  async #blockAt(height: bigint, signal: AbortSignal): Promise<Uint8Array> {
    const params = { height: height.toString(), encoding: "hex" }
    const result = await this.node.call(P_CHAIN_PATH, "platform.getBlockByHeight", params, signal)
    return bytesOfHexText((result as { block?: unknown } | null)?.block, this.node)
  }
}

/** Reads a hex text with checksum in the answer of a node. Throws `sync.bad_answer`. */
export function bytesOfHexText(text: unknown, node: HttpNode): Uint8Array {
  if (typeof text !== "string" || text === "") throw node.badAnswer("the answer has no bytes")
  return valueOrThrow(
    () => fromHexText(text),
    ({ sentence }) => node.badAnswer(sentence),
  )
}
