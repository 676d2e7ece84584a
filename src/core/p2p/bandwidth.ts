/** Limits of incoming bytes: per second, and per burst. */
export interface BandwidthLimit {
  readonly bytesPerSecond: number
  readonly burst: number
}

/** AvalancheGo's limit of bytes that are read from one peer. */
export const defaultBandwidth: BandwidthLimit = { bytesPerSecond: 512 * 1024, burst: 2 * 1024 * 1024 }

/** The maximum that a peer may send beyond the burst because it was requested, bytes. */
const MAX_ALLOWED = 8 * 1024 * 1024

/** Counts the bytes that one peer may still send. Above the limit its messages wait and reading is delayed; nothing is refused. */
export class Bandwidth {
  readonly #limit: BandwidthLimit
  #left: number
  #at: number

  constructor(limit: BandwidthLimit, now: number) {
    this.#limit = limit
    this.#left = limit.burst
    this.#at = now
  }

  /** Lets a peer send this many more bytes, because this node requested them. */
  allow(bytes: number): void {
    this.#left = Math.max(this.#left, Math.min(this.#left + bytes, this.#limit.burst + MAX_ALLOWED))
  }

  /** Counts bytes that were read or unpacked. */
  take(bytes: number, now: number): void {
    this.#earn(now)
    this.#left -= bytes
  }

  /** Returns the milliseconds until the peer may send again; 0 if it may now. */
  pauseMs(now: number): number {
    this.#earn(now)
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / this.#limit.bytesPerSecond)
  }

  #earn(now: number): void {
    const { bytesPerSecond, burst } = this.#limit
    const earned = (Math.max(0, now - this.#at) * bytesPerSecond) / 1000
    this.#left = Math.max(this.#left, Math.min(burst, this.#left + earned))
    this.#at = now
  }
}
