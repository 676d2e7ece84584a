import type { Feed, Sink } from "./feed.js"
import { type HubOptions, NOTHING_SENT, Stream, type StreamStart } from "./stream.js"

/** Limits of one turn for all clients together, in events and milliseconds. After it other requests are handled. */
const TURN = 64
const TURN_MILLISECONDS = 10

/** Number of events that are sent to one client in a row, so that clients that are far behind do not delay the newest events of others. */
const SLICE = 16

/**
 * Sends events to clients. Each client has a next height, and its events are read from the feed when it is ready for them. Resuming and
 * listening live are therefore the same, and no events are queued.
 */
export class EventHub {
  readonly #options: HubOptions
  readonly #streams = new Set<Stream>()
  /** Streams that are behind and can take an event. The stream that has waited longest is first. */
  readonly #behind = new Set<Stream>()
  readonly #unsubscribe: () => void
  readonly #heartbeat: NodeJS.Timeout
  #next: NodeJS.Immediate | undefined

  constructor(options: HubOptions) {
    this.#options = options
    this.#unsubscribe = options.feed.onChange((hasGoneBack) => {
      if (hasGoneBack) for (const stream of this.#streams) stream.goBack()
      for (const stream of this.#streams) this.#line(stream)
    })
    this.#heartbeat = setInterval(() => {
      for (const stream of this.#streams) this.#guarded(stream, () => stream.beat())
    }, options.heartbeatMilliseconds)
    this.#heartbeat.unref()
  }

  get size(): number {
    return this.#streams.size
  }

  /** The content type of the streams. */
  get contentType(): string {
    return this.#options.feed.contentType
  }

  /** The feed of streams without a filter. */
  get feed(): Feed {
    return this.#options.feed
  }

  /**
   * Adds a stream that begins at a height, or with the next block by default. `feed` is the hub's own feed, or a filtered
   * one. Returns a function that ends the stream.
   */
  add(sink: Sink, start: StreamStart | undefined, feed: Feed = this.feed): () => void {
    const stream = new Stream(sink, { ...this.#options, feed }, () => this.#line(stream))
    this.#streams.add(stream)
    this.#guarded(stream, () => stream.start(start))
    this.#line(stream)
    return () => this.#end(stream)
  }

  #end(stream: Stream): void {
    stream.end()
    this.#streams.delete(stream)
    this.#behind.delete(stream)
  }

  /** Does something with a stream. An error ends this stream and nothing else: its reader resumes with Last-Event-ID. */
  #guarded<T>(stream: Stream, task: () => T): T | undefined {
    try {
      return task()
    } catch (error) {
      this.#end(stream)
      stream.destroy()
      this.#options.onFault?.(error)
      return undefined
    }
  }

  close(): void {
    this.#unsubscribe()
    clearInterval(this.#heartbeat)
    clearImmediate(this.#next)
    for (const stream of this.#streams) {
      stream.end()
      stream.destroy()
    }
    this.#streams.clear()
    this.#behind.clear()
  }

  /** Adds an open stream to the queue. It never sends immediately, because other listeners may not know of the change yet. */
  #line(stream: Stream): void {
    if (!this.#streams.has(stream)) return
    this.#behind.add(stream)
    this.#next ??= setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#next = undefined
    const started = performance.now()
    let left = TURN
    for (const stream of this.#behind) {
      this.#behind.delete(stream)
      const { sent, isBehind } = this.#guarded(stream, () => stream.pump(SLICE, started + TURN_MILLISECONDS)) ?? NOTHING_SENT
      if (isBehind) this.#behind.add(stream)
      left -= Math.max(sent, 1)
      if (left <= 0 || performance.now() - started >= TURN_MILLISECONDS) break
    }
    if (this.#behind.size > 0) this.#next = setImmediate(() => this.#turn())
  }
}
