import { ReadableStream } from "node:stream/web"
import { type ChainEvent, chainEventOf } from "../client/events/chainEvent.js"
import { clientError, filterQuery, type SubscribeOptions, type Subscription, startOf } from "../client/events/subscription.js"
import { EventReader } from "../jsonrpc/events/eventReader.js"
import { type Feed, type Place, placeIn, type Sink } from "../jsonrpc/events/feed.js"
import { EventHub } from "../jsonrpc/events/hub.js"
import type { StreamStart } from "../jsonrpc/events/stream.js"

/** The maximum number of events that wait for their reader. More are read from the chain when it has taken some. */
const MOST_WAITING = 128

/** A subscription within the process is not charged. */
const meter: Sink["meter"] = {
  run: (task) => task(),
  charge: () => {},
  debtSeconds: undefined,
  reserve: () => true,
  release: () => {},
}

/** Milliseconds after which a stream that failed is opened again, and for which that is tried. */
const [PAUSE, PATIENCE] = [50, 10_000]

/** Serves the events of the chain in this process to any number of subscriptions. */
export function localEvents(feed: Feed) {
  // A reader within the process may take as long as it likes.
  const hub = new EventHub({ feed, stallMilliseconds: 2 ** 31 - 1, heartbeatMilliseconds: 2 ** 31 - 1 })
  let isClosed = false
  /** Subscribes from now on, or from a height. Throws `node.stream_refused` for a filter that cannot be read. */
  const subscribe = (options: SubscribeOptions = {}): Subscription => {
    const query = filterQuery(options)
    const filtered = query.size === 0 ? feed : (feed.filtered?.(query) ?? feed)
    if (typeof filtered === "string") throw clientError("node.stream_refused", { reason: filtered })
    const start = startOf(options) ?? { after: placeNow(feed) }
    return subscriptionTo({ start, join: (sink, from) => hub.add(sink, from, filtered), isOver: () => isClosed })
  }
  const close = () => {
    isClosed = true
    hub.close()
  }
  return { subscribe, close }
}

/** Returns the place of the newest block. */
function placeNow(feed: Feed): Place {
  const { context, release } = feed.open()
  try {
    return { height: context.height, id: context.entryAt(context.height)?.id }
  } finally {
    release()
  }
}

interface LocalStream {
  readonly start: StreamStart
  /** Adds a sink to the streams, and returns a function that removes it. */
  join(sink: Sink, start: StreamStart): () => void
  /** True if there will be no more streams. */
  isOver(): boolean
}

/** Makes a subscription of the events that are written to a sink. A stream that a failed read has ended goes on after its last place. */
function subscriptionTo({ start, join, isOver }: LocalStream): Subscription {
  let [isOpen, isFull, drain, close] = [true, false, () => {}, () => {}]
  let next = start
  let failedAt: number | undefined
  const connect = (controller: ReadableStreamDefaultController<ChainEvent>) => {
    if (isOver()) return controller.close()
    const reader = new EventReader()
    let again: NodeJS.Timeout | undefined
    const destroy = () => {
      if (!isOpen) return
      failedAt ??= performance.now()
      const isGivenUp = performance.now() - failedAt > PATIENCE
      isOpen = !isOver() && !isGivenUp
      if (isOver()) controller.close()
      else if (isGivenUp) controller.error(clientError("node.stream_ended"))
      else again = setTimeout(connect, PAUSE, controller)
    }
    const write = (bytes: Uint8Array) => {
      for (const event of reader.push(bytes)) {
        const place = event.id === undefined ? undefined : placeIn(event.id)
        if (place) next = { after: place }
        controller.enqueue(chainEventOf(event))
      }
      failedAt = undefined
      isFull = (controller.desiredSize ?? 0) <= 0
      return !isFull
    }
    const onDrain = (listener: () => void) => {
      drain = listener
    }
    const leave = join({ meter, write, onDrain, destroy }, next)
    close = () => {
      clearTimeout(again)
      leave()
      if (isOpen) controller.close()
      isOpen = false
    }
  }
  const pull = () => {
    if (isFull) drain()
    isFull = false
  }
  const cancel = () => {
    isOpen = false
    close()
  }
  const events = new ReadableStream<ChainEvent>({ start: connect, pull, cancel }, { highWaterMark: MOST_WAITING })
  return { [Symbol.asyncIterator]: () => events.values(), close: () => close(), [Symbol.asyncDispose]: async () => close() }
}
