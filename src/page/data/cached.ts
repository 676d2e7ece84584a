/** Answers that hold for ever, each under its key: the newest ones, up to a number. A question that failed is asked again. */
export class Cached<T> {
  readonly #most: number
  /** A `Map` keeps the order of insertion, so its first key is the oldest one. */
  readonly #answers = new Map<string, Promise<T>>()

  constructor(most: number) {
    this.#most = most
  }

  /** Returns the answer of a key, and asks for it if it is not there. The calls of one moment share one question. */
  of(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key)
    if (known) return known
    const asked = ask()
    this.#answers.set(key, asked)
    asked.catch(() => this.#forget(key, asked))
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > this.#most && oldest !== undefined) this.#answers.delete(oldest)
    return asked
  }

  /** The key may have been removed and asked again meanwhile. */
  #forget(key: string, asked: Promise<T>): void {
    if (this.#answers.get(key) === asked) this.#answers.delete(key)
  }
}
