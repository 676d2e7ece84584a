/** Counts the requests that wait for their answer, and limits them for each client and for all together. */
export class PendingCount {
  readonly #total: number
  readonly #each: number
  readonly #byClient = new Map<string, number>()
  #size = 0

  constructor(total: number, each = total) {
    this.#total = total
    this.#each = each
  }

  /** Number of requests that wait. */
  get size(): number {
    return this.#size
  }

  /** Returns whether the client, or all clients together, have as many as they may have. */
  isFull(client: string): boolean {
    return this.#size >= this.#total || (this.#byClient.get(client) ?? 0) >= this.#each
  }

  add(client: string): void {
    this.#size++
    this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + 1)
  }

  remove(client: string): void {
    this.#size--
    const own = (this.#byClient.get(client) ?? 0) - 1
    if (own > 0) this.#byClient.set(client, own)
    else this.#byClient.delete(client)
  }
}
