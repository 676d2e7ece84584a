/** Runs a few tasks at a time, in order of arrival, with a limit on the number that wait. */
export class Turnstile {
  readonly #atOnce: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /** True if no further task may wait. The caller then refuses it. */
  get isFull(): boolean {
    return this.#running >= this.#atOnce && this.#waiting.length >= this.#maxWaiting
  }

  async run<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The next waiting task takes the place over, so that no later task can take it first.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
