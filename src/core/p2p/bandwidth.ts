/** Limits of incoming bytes: per second, and per burst. */
export interface BandwidthLimit {
  readonly bytesPerSecond: number
  readonly burst: number
}

/** AvalancheGo's limit of bytes that are read from one peer. */
export const defaultBandwidth: BandwidthLimit = { bytesPerSecond: 512 * 1024, burst: 2 * 1024 * 1024 }

/** Counts the bytes that one peer may still send. Above the limit reading is delayed; nothing is refused. */
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
    this.#left += bytes
  }

  /** Counts bytes that were read. Returns the milliseconds for which reading must pause. */
  take(bytes: number, now: number): number {
    const { bytesPerSecond, burst } = this.#limit
    const earned = (Math.max(0, now - this.#at) * bytesPerSecond) / 1000
    this.#left = Math.max(this.#left, Math.min(burst, this.#left + earned)) - bytes
    this.#at = now
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / bytesPerSecond)
  }
}
