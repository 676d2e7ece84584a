/** Lets a few works run at a time, in the order they came, and only so many wait. */
export class Turnstile {
  readonly #atOnce: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /** True where the next one would have to be turned away. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#maxWaiting
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever waits takes the place over, so that nobody who comes later slips in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
