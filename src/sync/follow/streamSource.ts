import { bodyChunks } from "../../core/lib/bodyChunks.js"
import { Invalid } from "../../core/lib/invalid.js"
import { syncError } from "../errors.js"
import { BLOCK_STREAM, BlockFrameReader } from "./blockFrames.js"
import type { BlockSource } from "./blockSource.js"
import { HeightSource, P_CHAIN_PATH } from "./heightSource.js"
import type { HttpNode } from "./httpNode.js"
import { timeLimit } from "./timeLimit.js"

/** Milliseconds of silence after which a stream is aborted. A live stream sends something every 15 s. */
const SILENCE_MS = 40_000

/** The blocks of a Serac node: a stream of their bytes, in their wrappers if the node has them. */
export class StreamSource extends HeightSource {
  override readonly kind: BlockSource["kind"] = "stream"
  override readonly hasWrappers = true

  /** Returns whether a node has a stream of blocks. */
  static async isOf(node: HttpNode, signal: AbortSignal): Promise<boolean> {
    return await node.has(P_CHAIN_PATH + BLOCK_STREAM, signal).catch(() => false)
  }

  override async *blocksFrom(first: bigint, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const limit = timeLimit(signal, this.node.patience ?? SILENCE_MS)
    try {
      const response = await this.node.open(`${P_CHAIN_PATH}${BLOCK_STREAM}?from=${first}`, limit.signal)
      const reader = new BlockFrameReader()
      for await (const chunk of bodyChunks(response.body, limit.signal)) {
        limit.restart()
        yield* this.#blocksIn(chunk, reader)
      }
    } catch (error) {
      if (error instanceof Invalid || signal.aborted) throw error
      const reason = limit.isOver ? "the stream was silent for too long" : `the stream was cut: ${(error as Error).message}`
      throw syncError("sync.no_answer", { url: this.url, reason })
    } finally {
      limit.end()
    }
    throw syncError("sync.no_answer", { url: this.url, reason: "the stream ended" })
  }

  #blocksIn(chunk: Uint8Array, reader: BlockFrameReader): Uint8Array[] {
    const frames = reader.push(chunk)
    if (!frames) throw syncError("sync.bad_answer", { url: this.url, reason: "the stream holds no blocks" })
    return frames.map((frame) => {
      if (frame.kind === "block") return frame.bytes
      throw syncError("sync.reverted", { url: this.url, height: frame.height })
    })
  }
}
