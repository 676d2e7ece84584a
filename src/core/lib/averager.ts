/** An average of values over time: each value counts as 1 when it is observed, and half as much after every half-life. */
export class Averager {
  readonly #halfLifeMs: number
  #sum: number
  #count = 1
  #at: number

  /** Starts with one value. Times are milliseconds. */
  constructor(first: number, halfLifeMs: number, now: number) {
    this.#sum = first
    this.#halfLifeMs = halfLifeMs
    this.#at = now
  }

  get average(): number {
    return this.#sum / this.#count
  }

  /** Adds a value. A value that is older than the last one counts less, and does not move the time back. */
  observe(value: number, now: number): void {
    const weight = 0.5 ** (Math.abs(now - this.#at) / this.#halfLifeMs)
    if (now < this.#at) {
      this.#sum += weight * value
      this.#count += weight
      return
    }
    this.#sum = value + weight * this.#sum
    this.#count = 1 + weight * this.#count
    this.#at = now
  }
}
