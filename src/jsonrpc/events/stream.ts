import { Unavailable } from "../../core/lib/unavailable.js"
import type { Feed, FeedState, Sink } from "./feed.js"

/** Options of a hub. */
export interface HubOptions {
  readonly feed: Feed
  /** The time for which a client may leave its buffer full, milliseconds. */
  readonly stallMilliseconds: number
  /** Interval of the heartbeats on a silent stream, milliseconds. */
  readonly heartbeatMilliseconds: number
  /** Called with an error because of which a stream was ended, such as a read of the store that failed. */
  onFault?(error: unknown): void
}

/** The maximum time that Node takes to write an event after the meter has stopped, milliseconds. */
const EVENT_MILLISECONDS = 0.1

/** Milliseconds after which events that could not be read are read again. */
const LATER_MILLISECONDS = 500

/** The number of events that were sent, and whether more could be sent. */
interface PumpResult {
  readonly sent: number
  readonly isBehind: boolean
}

export const NOTHING_SENT: PumpResult = { sent: 0, isBehind: false }

/** Where a stream begins. */
export interface StreamStart {
  readonly height: bigint
  /** True if the client has seen the events before this height, so that it is told if they were reverted. Otherwise it waits for the height. */
  readonly hasSeenEarlier: boolean
}

/** The events of one client: its next height, and what it has not taken yet. */
export class Stream {
  readonly #sink: Sink
  readonly #options: HubOptions
  #next = 0n
  /** True until the chain has the height that the client waits for. */
  #isWaiting = false
  /** The number of parts beside the heights that were sent. */
  #besides = 0
  #isFull = false
  #isEnded = false
  #stall: NodeJS.Timeout | undefined
  /** This timer runs until the client's debt is paid off, or until events can be read again. */
  #debt: NodeJS.Timeout | undefined
  /** Events that were fetched and not sent yet, and the number of fetches that began, of which only the last one counts. */
  #fetched: ReadonlyMap<bigint, Uint8Array | undefined> = new Map()
  #fetches = 0
  #isFetching = false
  readonly #onReady: () => void

  constructor(sink: Sink, options: HubOptions, onReady: () => void) {
    this.#sink = sink
    this.#options = options
    this.#onReady = onReady
    sink.onDrain(() => {
      clearTimeout(this.#stall)
      sink.meter.release()
      this.#isFull = false
      if (!this.#isEnded) onReady()
    })
  }

  start(start: StreamStart | undefined): void {
    this.#with((state) => {
      this.#next = start?.height ?? state.height + 1n
      if (this.#next <= state.height + 1n) return
      if (start?.hasSeenEarlier) this.revert(state.height, state.revertEvent())
      else this.#isWaiting = true
    })
  }

  /**
   * Sends some of the accepted events that were not sent yet, as long as the client takes them, and returns whether more could be sent. A
   * client in debt waits until the debt is paid. `until` is the end of the turn of the event loop, because large blocks take milliseconds
   * each.
   */
  pump(most: number, until: number): PumpResult {
    if (this.#isFull || this.#isEnded || this.#debt || this.#isFetching) return NOTHING_SENT
    const { meter } = this.#sink
    const seconds = meter.debtSeconds
    if (seconds === undefined) return meter.run(() => this.#send(most, until))
    this.#pause(seconds * 1000)
    return NOTHING_SENT
  }

  #pause(milliseconds: number): void {
    if (this.#isEnded) return
    clearTimeout(this.#debt)
    this.#debt = setTimeout(() => {
      this.#debt = undefined
      this.#onReady()
    }, milliseconds)
    this.#debt.unref()
  }

  revert(height: bigint, event: Uint8Array): void {
    if (this.#isWaiting || (this.#next <= height + 1n && this.#besides === 0)) return
    if (this.#next > height + 1n) this.#next = height + 1n
    this.#besides = 0
    this.#drop()
    if (!this.#isEnded) this.#write(event)
  }

  beat(): void {
    if (!this.#isFull) this.#sink.meter.run(() => this.#write(this.#options.feed.heartbeat))
  }

  end(): void {
    this.#isEnded = true
    this.#sink.meter.release()
    clearTimeout(this.#stall)
    clearTimeout(this.#debt)
  }

  destroy(): void {
    this.#sink.destroy()
  }

  #send(most: number, until: number): PumpResult {
    let sent = 0
    let isBehind = false
    this.#with((state) => {
      this.#sendBesides(state)
      for (; sent < most && !this.#isFull && this.#next <= state.height; sent++) {
        if (state.fetchEvents && !this.#fetched.has(this.#next)) {
          this.#fetch(state, most)
          return
        }
        const bytes = state.fetchEvents ? this.#fetched.get(this.#next) : state.eventsAt(this.#next)
        this.#next++
        this.#isWaiting = false
        if (bytes) this.#write(bytes)
        if (performance.now() >= until) {
          sent++
          break
        }
      }
      isBehind = !this.#isFull && this.#next <= state.height
    })
    this.#sink.meter.charge(sent * EVENT_MILLISECONDS)
    return { sent, isBehind }
  }

  #sendBesides(state: FeedState): void {
    const found = state.besides?.(this.#besides, this.#next)
    if (!found) return
    this.#besides = found.sent
    this.#write(found.bytes)
  }

  /**
   * Writes events. Events that the client does not take count as unread. The stream ends if the client would have more unread bytes than
   * allowed.
   */
  #write(bytes: Uint8Array): void {
    if (this.#sink.write(bytes)) return
    if (!this.#sink.meter.reserve(bytes.length)) {
      this.destroy()
      return
    }
    if (this.#isFull) return
    this.#isFull = true
    this.#stall = setTimeout(() => this.destroy(), this.#options.stallMilliseconds)
    this.#stall.unref()
  }

  /** Fetches the next events. The stream continues when they have arrived. */
  #fetch({ height, fetchEvents }: FeedState, most: number): void {
    const heights: bigint[] = []
    for (let next = this.#next; next <= height && heights.length < most; next++) heights.push(next)
    const fetch = ++this.#fetches
    this.#isFetching = true
    fetchEvents?.(heights, (milliseconds) => this.#sink.meter.charge(milliseconds)).then(
      (events) => {
        if (fetch !== this.#fetches) return
        this.#fetched = events
        this.#isFetching = false
        if (!this.#isEnded) this.#onReady()
      },
      (error) => {
        if (fetch !== this.#fetches) return
        this.#isFetching = false
        if (error instanceof Unavailable) this.#pause(LATER_MILLISECONDS)
        else {
          this.destroy()
          this.#options.onFault?.(error)
        }
      },
    )
  }

  /** Drops what was fetched before a revert. */
  #drop(): void {
    this.#fetches++
    this.#isFetching = false
    this.#fetched = new Map()
  }

  #with(work: (state: FeedState) => void): void {
    const opened = this.#options.feed.open()
    try {
      work(opened.context)
    } finally {
      opened.release()
    }
  }
}
