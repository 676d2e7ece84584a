import { ReadableStream } from "node:stream/web"
import { type ChainEvent, chainEventOf } from "../client/events/chainEvent.js"
import { clientError, filterQuery, type SubscribeOptions, type Subscription, startOf } from "../client/events/subscription.js"
import { EventReader } from "../jsonrpc/events/eventReader.js"
import type { Feed, Sink } from "../jsonrpc/events/feed.js"
import { EventHub } from "../jsonrpc/events/hub.js"

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

/** Serves the events of the chain in this process to any number of subscriptions. */
export function localEvents(feed: Feed) {
  // A reader within the process may take as long as it likes.
  const hub = new EventHub({ feed, stallMilliseconds: 2 ** 31 - 1, heartbeatMilliseconds: 2 ** 31 - 1 })
  /** Subscribes from now on, or from a height. Throws `node.stream_refused` for a filter that cannot be read. */
  const subscribe = (options: SubscribeOptions = {}): Subscription => {
    const query = filterQuery(options)
    const filtered = query.size === 0 ? feed : (feed.filtered?.(query) ?? feed)
    if (typeof filtered === "string") throw clientError("node.stream_refused", { reason: filtered })
    const start = startOf(options)
    return subscriptionTo((sink) => hub.add(sink, start, filtered))
  }
  return { subscribe, close: () => hub.close() }
}

/** Makes a subscription of the events that are written to a sink. `join` adds the sink, and returns a function that removes it. */
function subscriptionTo(join: (sink: Sink) => () => void): Subscription {
  const reader = new EventReader()
  let [isOpen, isFull, drain, close] = [true, false, () => {}, () => {}]
  const start = (controller: ReadableStreamDefaultController<ChainEvent>) => {
    const destroy = () => {
      if (isOpen) controller.close()
      isOpen = false
    }
    const write = (bytes: Uint8Array) => {
      for (const event of reader.push(bytes)) controller.enqueue(chainEventOf(event))
      isFull = (controller.desiredSize ?? 0) <= 0
      return !isFull
    }
    const onDrain = (listener: () => void) => {
      drain = listener
    }
    const leave = join({ meter, write, onDrain, destroy })
    close = () => {
      leave()
      destroy()
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
  const events = new ReadableStream<ChainEvent>({ start, pull, cancel }, { highWaterMark: MOST_WAITING })
  return { [Symbol.asyncIterator]: () => events.values(), close: () => close(), [Symbol.asyncDispose]: async () => close() }
}
