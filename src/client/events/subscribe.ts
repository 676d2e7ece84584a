import { bodyChunks, bodyText } from "../../core/lib/bodyChunks.js"
import { Invalid } from "../../core/lib/invalid.js"
import { EventReader } from "../../jsonrpc/events/eventReader.js"
import type { Place } from "../../jsonrpc/events/feed.js"
import { httpClient } from "../client.js"
import table from "../methods.json" with { type: "json" }
import { nodeAddress } from "../nodeAddress.js"
import { type ChainEvent, chainEventOf } from "./chainEvent.js"
import { clientError, filterQuery, type SubscribeOptions, type Subscription, startOf } from "./subscription.js"

/** The time for which a broken stream is reopened, and the pauses between attempts, milliseconds. */
const PATIENCE_MS = 10_000
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [50, 1_000]

/**
 * Subscribes to the events of a node: its transactions and blocks as they are accepted. Resolves when the node sends events. If the
 * connection breaks, it reopens the stream after the last block, so that no event is missed or repeated; if the chain has gone back meanwhile, the
 * next event says so. Throws `node.stream_refused` if the node refuses; the
 * loop over the events throws `node.stream_ended` if the node does not come back.
 */
export async function subscribe(url: string, options: SubscribeOptions = {}): Promise<Subscription> {
  const address = nodeAddress(url)
  const query = filterQuery(options)
  const start = startOf(options) ?? { after: await placeNow(address) }
  const first = "after" in start ? textOf(start.after) : ""
  const controller = new AbortController()
  const { signal } = controller
  const open = (position: string | undefined) => {
    // A subscriber that has seen a block is told if it is gone.
    query.delete("from")
    if (position === undefined && "from" in start) query.set("from", String(start.from))
    else query.set("after", position ?? first)
    return openStream(`${address}${table.paths.platform}/events?${query}`, signal)
  }
  const stream = await open(undefined)
  return {
    [Symbol.asyncIterator]: () => untilClosed(resumed(stream, open, signal), controller),
    close: () => controller.abort(),
    [Symbol.asyncDispose]: async () => controller.abort(),
  }
}

const textOf = ({ height, id }: Place): string => (id === undefined ? String(height) : `${height}-${id}`)

/** Returns the place of the newest block. */
async function placeNow(address: string): Promise<Place> {
  const call = httpClient(address)
  const { height } = await call("platform.getHeight")
  try {
    const { block } = await call("platform.getBlockByHeight", { height, encoding: "json" })
    return { height, id: (block as { readonly id?: string } | undefined)?.id }
  } catch (error) {
    // The block may be gone again.
    if (error instanceof Invalid && error.code === "platform.unknown_block") return { height }
    throw error
  }
}

/** Ends without an error when the subscription is closed, and closes it when its reader leaves the loop. */
async function* untilClosed(events: AsyncIterable<ChainEvent>, controller: AbortController): AsyncGenerator<ChainEvent, void> {
  try {
    yield* events
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    controller.abort()
  }
}

type Stream = AsyncIterable<Uint8Array>

/**
 * Returns the events of a stream, and of those that continue it after a break. The events of a block are returned when all of them have
 * arrived. The pauses before a stream is opened again grow until a block arrives, so that a node which ends its streams at once is not
 * asked all the time.
 */
async function* resumed(stream: Stream, open: (position: string | undefined) => Promise<Stream>, signal: AbortSignal) {
  let position: string | undefined
  let pause = FIRST_PAUSE_MS
  const nextPause = () => pauseUntil(pause, signal).then(() => (pause = Math.min(pause * 2, LONGEST_PAUSE_MS)))
  for (let current = stream; ; current = await reopened(() => open(position), nextPause)) {
    const reader = new EventReader()
    let block: ChainEvent[] = []
    try {
      for await (const bytes of current) {
        for (const sent of reader.push(bytes)) {
          block.push(chainEventOf(sent))
          // The events of a block end with one that has an ID.
          if (sent.id === undefined) continue
          position = sent.id
          yield* block
          block = []
          pause = FIRST_PAUSE_MS
        }
      }
    } catch (error) {
      // A connection that failed is a TypeError; any other error comes from reading its data.
      if (!(error instanceof TypeError)) throw error
    }
  }
}

async function reopened(open: () => Promise<Stream>, pause: () => Promise<unknown>): Promise<Stream> {
  const started = performance.now()
  for (;;) {
    await pause()
    try {
      return await open()
    } catch (error) {
      const isGone = error instanceof Invalid && error.code === "node.stream_ended"
      if (!isGone || performance.now() - started > PATIENCE_MS) throw error
    }
  }
}

/** Waits for some milliseconds. Throws as soon as the signal is given. */
function pauseUntil(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener("abort", end, { once: true })
  })
}

/** The size of the largest refusal whose reason is read, bytes. */
const MAX_REFUSAL = 1 << 16

async function openStream(url: string, signal: AbortSignal): Promise<Stream> {
  const response = await fetch(url, { headers: { accept: "text/event-stream" }, signal, redirect: "error" }).catch((error) => {
    if (signal.aborted) throw error
    throw clientError("node.stream_ended", { url, reason: (error.cause as Error | undefined)?.message ?? error.message })
  })
  if (response.status === 200 && response.body) return bodyChunks(response.body, signal)
  const text = await bodyText(response.body, MAX_REFUSAL, signal)
  const reason = text?.trim().split("\n", 1)[0] ?? ""
  throw clientError(response.status >= 500 ? "node.stream_ended" : "node.stream_refused", {
    url,
    status: response.status,
    reason,
  })
}
