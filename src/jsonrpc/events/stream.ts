import { Unavailable } from "../../core/lib/unavailable.js"
import type { CommonPlace, Entry, Feed, FeedState, Place, Sink } from "./feed.js"

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

/** Where a stream begins: after the last place that the client has seen, or at the first height that it wants. */
export type StreamStart = { readonly after: Place } | { readonly from: bigint }

/**
 * The events of one client: the last place that it has seen, and what it has not taken yet. Whenever the feed has gone back, and where a client
 * comes back with a place, the client is told the last place that both have in common before it gets anything else.
 */
export class Stream {
  readonly #sink: Sink
  readonly #options: HubOptions
  #last: Place = { height: -1n }
  /** False until the client has seen a place of the feed. It is then told when the feed goes back, and waits for its first height before. */
  #hasSeen = true
  /** True if the feed may no longer have the last place. */
  #isUncertain = true
  /** True if the client has parts beside the heights that the feed no longer has. */
  #mustStartAnew = false
  /** The height after which the feed had a block with another parent. */
  #tornAt: bigint | undefined
  /** The number of parts beside the heights that were sent. */
  #besides = 0
  #isFull = false
  #isEnded = false
  #stall: NodeJS.Timeout | undefined
  /** This timer runs until the client's debt is paid off, or until events can be read again. */
  #debt: NodeJS.Timeout | undefined
  /** What was fetched and not used yet, and the number of fetches that began, of which only the last one counts. */
  #fetched: ReadonlyMap<bigint, Entry | undefined> = new Map()
  #common: CommonPlace | "ahead" | undefined
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
    if (start === undefined) this.#with(({ height }) => this.#begin({ height }, true))
    else if ("after" in start) this.#begin(start.after, true)
    else this.#begin({ height: start.from - 1n }, false)
  }

  #begin(last: Place, hasSeen: boolean): void {
    this.#last = last
    this.#hasSeen = hasSeen
    this.#isUncertain = hasSeen
    if (hasSeen && last.id === undefined) this.#with((state) => this.#identify(state))
  }

  /** Looks up the ID of the last place at once, if it is here, because the feed may go back before the first event. */
  #identify({ height, commonWith }: FeedState): void {
    if (this.#last.height > height) return
    const found = commonWith?.(this.#last, (milliseconds) => this.#sink.meter.charge(milliseconds))
    if (found && found !== "ahead" && !(found instanceof Promise)) this.#last = { height: found.height, id: found.id }
  }

  get #next(): bigint {
    return this.#last.height + 1n
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

  /** Called when the feed has gone back. */
  goBack(): void {
    this.#drop()
    this.#tornAt = undefined
    this.#mustStartAnew ||= this.#besides > 0
    this.#isUncertain ||= this.#hasSeen || this.#mustStartAnew
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
      if (this.#isUncertain && !this.#settle(state)) return
      this.#sendBesides(state)
      for (; sent < most && !this.#isFull && this.#next <= state.height; sent++) {
        if (state.fetchEntries && !this.#fetched.has(this.#next)) {
          this.#fetch(state, most)
          return
        }
        const entry = state.fetchEntries ? this.#fetched.get(this.#next) : state.entryAt(this.#next)
        if (entry && !this.#isNext(entry)) {
          this.#tornAt = this.#last.height
          this.#isUncertain = true
          this.#fetched = new Map()
          isBehind = true
          return
        }
        this.#last = { height: this.#next, id: entry?.id }
        this.#hasSeen = true
        if (entry?.bytes) this.#write(entry.bytes)
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

  /** Returns whether the client has the parent of an entry. If it does not, the feed has gone back without a word. */
  #isNext({ parentID }: Entry): boolean {
    const { id } = this.#last
    return id === undefined || parentID === undefined || id === parentID
  }

  /** Finds the last place in common, and tells the client if it has to go back there. Returns false if the place is not known yet. */
  #settle(state: FeedState): boolean {
    const last = this.#hasSeen ? this.#last : { height: state.height }
    const charge = (milliseconds: number) => this.#sink.meter.charge(milliseconds)
    const found = this.#common ?? state.commonWith?.(last, charge) ?? lower(last, state)
    this.#common = undefined
    if (found instanceof Promise) {
      this.#await(found, (common) => {
        this.#common = common
      })
      return false
    }
    if (found === "ahead") return false
    if (this.#tornAt !== undefined && found.height >= this.#tornAt)
      throw new Error(`the feed has two blocks at height ${found.height}`)
    this.#tornAt = undefined
    const isBack = found.height < last.height || this.#mustStartAnew
    this.#isUncertain = false
    this.#mustStartAnew = false
    if (isBack) {
      this.#besides = 0
      this.#fetched = new Map()
      const event = state.revertEvent?.(found)
      if (event) this.#write(event)
    }
    if (this.#hasSeen || found.height < this.#last.height) this.#last = { height: found.height, id: found.id }
    return true
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

  /** Fetches the next events. */
  #fetch({ height, fetchEntries }: FeedState, most: number): void {
    const heights: bigint[] = []
    for (let next = this.#next; next <= height && heights.length < most; next++) heights.push(next)
    const fetched = fetchEntries?.(heights, (milliseconds) => this.#sink.meter.charge(milliseconds))
    if (!fetched) return
    this.#await(fetched, (entries) => {
      this.#fetched = entries
    })
  }

  /** Waits for what is fetched. The stream continues when it has arrived, unless the feed has gone back meanwhile. */
  #await<T>(fetched: Promise<T>, take: (value: T) => void): void {
    const fetch = ++this.#fetches
    this.#isFetching = true
    fetched.then(
      (value) => {
        if (fetch !== this.#fetches) return
        take(value)
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

  /** Drops what was fetched before the feed went back. */
  #drop(): void {
    this.#fetches++
    this.#isFetching = false
    this.#fetched = new Map()
    this.#common = undefined
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

/** Returns the lower one of a place and the newest place of a feed that has no IDs. */
const lower = ({ height }: Place, state: FeedState): CommonPlace => ({ height: height < state.height ? height : state.height })
