/** A number of bytes, or of other things: per second, and at once. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** AvalancheGo's limit of bytes that are read from one peer. */
export const defaultBandwidth: Rate = { perSecond: 512 * 1024, burst: 2 * 1024 * 1024 }

/** The maximum that a peer may send beyond the burst because it was requested, bytes. */
const MAX_ALLOWED = 8 * 1024 * 1024

/** Counts what one peer may still send, or how many may still connect. Above the rate they wait; nothing is refused. */
export class RateLimit {
  readonly #rate: Rate
  #left: number
  #at: number

  constructor(rate: Rate, now: number) {
    this.#rate = rate
    this.#left = rate.burst
    this.#at = now
  }

  /** Lets a peer send this many more bytes, because this node requested them. */
  allow(bytes: number): void {
    this.#left = Math.max(this.#left, Math.min(this.#left + bytes, this.#rate.burst + MAX_ALLOWED))
  }

  /** Counts some that arrived. */
  take(count: number, now: number): void {
    this.#earn(now)
    this.#left -= count
  }

  /** Returns the milliseconds until more may arrive; 0 if they may now. */
  pauseMs(now: number): number {
    this.#earn(now)
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / this.#rate.perSecond)
  }

  #earn(now: number): void {
    const { perSecond, burst } = this.#rate
    const earned = (Math.max(0, now - this.#at) * perSecond) / 1000
    this.#left = Math.max(this.#left, Math.min(burst, this.#left + earned))
    this.#at = now
  }
}
