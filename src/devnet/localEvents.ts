import { EventEmitter, once } from "node:events"
import { clientError } from "../client/errors.js"
import { type ChainEvent, chainEventOf } from "../client/events/chainEvent.js"
import { filterQuery, firstHeightOf, type SubscribeOptions, type Subscription } from "../client/events/subscription.js"
import { EventReader } from "../jsonrpc/events/eventReader.js"
import type { Feed, Sink } from "../jsonrpc/events/feed.js"
import { EventHub } from "../jsonrpc/events/hub.js"

/** The maximum number of events that wait for their reader. More are read from the chain when it has taken these. */
const MOST_WAITING = 128

/** A subscription within the process is not charged. */
const meter: Sink["meter"] = {
  run: (task) => task(),
  charge: () => {},
  debtSeconds: undefined,
  reserve: () => true,
  release: () => {},
}

/** The events of the chain in this process, for any number of subscriptions. */
export class LocalEvents {
  readonly #hub: EventHub

  constructor(feed: Feed) {
    // A reader within the process may take as long as it likes.
    this.#hub = new EventHub({ feed, stallMilliseconds: 2 ** 31 - 1, heartbeatMilliseconds: 2 ** 31 - 1 })
  }

  /** Subscribes from now on, or from a height. Throws `node.stream_refused` for a filter that cannot be read. */
  subscribe(options: SubscribeOptions = {}): Subscription {
    const query = filterQuery(options)
    const { feed } = this.#hub
    const filtered = query.size === 0 ? feed : (feed.filtered?.(query) ?? feed)
    if (typeof filtered === "string") throw clientError("node.stream_refused", { reason: filtered })
    const from = firstHeightOf(options)
    const queue = new EventQueue()
    const leave = this.#hub.add(queue, from === undefined ? undefined : { height: from, hasSeenEarlier: false }, filtered)
    const close = () => {
      leave()
      queue.destroy()
    }
    return { [Symbol.asyncIterator]: () => queue.events(close), close, [Symbol.asyncDispose]: async () => close() }
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#hub.close()
  }
}

/** The events that wait for one reader. */
class EventQueue implements Sink {
  readonly meter = meter
  readonly #reader = new EventReader()
  readonly #changes = new EventEmitter()
  readonly #waiting: ChainEvent[] = []
  #isEnded = false

  write(bytes: Uint8Array): boolean {
    this.#waiting.push(...this.#reader.push(bytes).map(chainEventOf))
    this.#changes.emit("change")
    return this.#waiting.length < MOST_WAITING
  }

  onDrain(listener: () => void): void {
    this.#changes.on("drain", listener)
  }

  destroy(): void {
    this.#isEnded = true
    this.#changes.emit("change")
  }

  async *events(close: () => void): AsyncGenerator<ChainEvent, void> {
    try {
      for (;;) {
        const taken = this.#waiting.splice(0)
        if (taken.length >= MOST_WAITING) this.#changes.emit("drain")
        yield* taken
        if (this.#waiting.length > 0) continue
        if (this.#isEnded) return
        await once(this.#changes, "change")
      }
    } finally {
      close()
    }
  }
}
