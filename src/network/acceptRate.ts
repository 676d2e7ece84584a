/** Limits the connections per second, with a burst of one second. Others wait. */
export class AcceptRate {
  readonly #perSecond: number
  readonly #burst: number
  #left: number
  #at: number

  constructor(perSecond: number, now: number) {
    this.#perSecond = perSecond
    this.#burst = Math.floor(perSecond) + 1
    this.#left = this.#burst
    this.#at = now
  }

  /** Counts a connection that arrives now. Returns the milliseconds that it has to wait. */
  take(now: number): number {
    const earned = (Math.max(0, now - this.#at) * this.#perSecond) / 1000
    this.#left = Math.min(this.#burst, this.#left + earned) - 1
    this.#at = now
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / this.#perSecond)
  }
}
