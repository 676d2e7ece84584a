/** Lets so many connections a second through, and a second's worth of them at once; the others wait for their turn. */
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

  /** Takes a connection that arrives now; returns for how many milliseconds it has to wait. */
  take(now: number): number {
    const earned = (Math.max(0, now - this.#at) * this.#perSecond) / 1000
    this.#left = Math.min(this.#burst, this.#left + earned) - 1
    this.#at = now
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / this.#perSecond)
  }
}
