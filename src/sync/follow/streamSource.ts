import { bodyChunks } from "../../core/lib/bodyChunks.js"
import { Invalid } from "../../core/lib/invalid.js"
import { parseCopyHeader } from "../../core/networks/chainIdentity.js"
import { isProduction } from "../../core/networks/names.js"
import { idText } from "../../core/types/id.js"
import { syncError } from "../errors.js"
import type { BlockSource, ChainItem, GivenBlock, SourceChain } from "./blockSource.js"
import { BLOCK_STREAM, type ChainFrame, ChainFrameReader } from "./chainFrames.js"
import { HeightSource, P_CHAIN_PATH } from "./heightSource.js"
import type { HttpNode } from "./httpNode.js"
import { timeLimit } from "./timeLimit.js"

/** Milliseconds of silence after which a stream is aborted. A live stream sends something every 15 s. */
const SILENCE_MS = 40_000

/** The number of times that the beginning of a stream is asked for. */
const ATTEMPTS = 3

/** The chain of a Serac node: a stream of its blocks, in their wrappers if the node has them, with everything that copies need besides. */
export class StreamSource extends HeightSource {
  override readonly kind: BlockSource["kind"] = "stream"
  override readonly hasWrappers = true

  static async isOf(node: HttpNode, signal: AbortSignal): Promise<boolean> {
    return await node.has(P_CHAIN_PATH + BLOCK_STREAM, signal).catch(() => false)
  }

  async l1Count(signal: AbortSignal): Promise<number> {
    // Only a private chain has this method.
    const answer = await this.node.call("/ext/dev", "dev.listL1s", {}, signal).catch(() => undefined)
    return (answer as { l1s?: readonly unknown[] } | undefined)?.l1s?.length ?? 0
  }

  async chain(signal: AbortSignal): Promise<SourceChain | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#readChain(signal)
      } catch (error) {
        const isCut = error instanceof Invalid && error.code === "sync.no_answer"
        if (!isCut || attempt === ATTEMPTS) throw error
      }
    }
  }

  async #readChain(signal: AbortSignal): Promise<SourceChain | undefined> {
    let found: SourceChain | undefined
    for await (const frame of this.#framesAfter("0", signal)) {
      if (frame.kind === "chain") found = { header: this.#headerIn(frame.header), genesis: undefined }
      else return found && { ...found, genesis: frame.kind === "genesis" ? frame.bytes : undefined }
      // Only the genesis of other networks follows.
      if (isProduction(found.header.networkID)) return found
    }
    return found
  }

  override async *itemsAfter({ height, id }: GivenBlock, signal: AbortSignal): AsyncGenerator<ChainItem> {
    // After a block that it has, this chain is told if the node has reverted that block.
    for await (const frame of this.#framesAfter(`${height}-${idText(id)}`, signal)) {
      if (frame.kind === "revert") yield { kind: "revert" }
      else if (frame.kind === "chain") yield { ...frame, header: this.#headerIn(frame.header) }
      else if (frame.kind !== "genesis") yield frame
    }
    throw syncError("sync.no_answer", { url: this.url, reason: "the stream ended" })
  }

  async *#framesAfter(place: string, signal: AbortSignal): AsyncGenerator<ChainFrame> {
    const limit = timeLimit(signal, this.node.patience ?? SILENCE_MS)
    try {
      const response = await this.node.open(`${P_CHAIN_PATH}${BLOCK_STREAM}?after=${place}`, limit.signal)
      const reader = new ChainFrameReader()
      for await (const chunk of bodyChunks(response.body, limit.signal)) {
        limit.restart()
        const frames = reader.push(chunk)
        if (!frames) throw this.node.badAnswer("the stream holds no blocks")
        yield* frames
      }
    } catch (error) {
      if (error instanceof Invalid || signal.aborted) throw error
      const reason = limit.isOver ? "the stream was silent for too long" : `the stream was cut: ${(error as Error).message}`
      throw syncError("sync.no_answer", { url: this.url, reason })
    } finally {
      limit.end()
    }
  }

  #headerIn(bytes: Uint8Array): SourceChain["header"] {
    const header = parseCopyHeader(new TextDecoder().decode(bytes))
    if (header) return header
    throw this.node.badAnswer("the stream does not begin with the facts about its chain")
  }
}
