/** Limits the bytes that all clients together, and each of them, may occupy. */
export class ByteBudget {
  readonly #total: number
  readonly #each: number
  readonly #byClient = new Map<string, number>()
  #used = 0

  constructor(total: number, each = total) {
    this.#total = total
    this.#each = each
  }

  get used(): number {
    return this.#used
  }

  /** Takes bytes for a client. Returns false and takes nothing if the client or all clients together would have too many. */
  take(client: string, bytes: number): boolean {
    if (bytes === 0) return true
    const own = (this.#byClient.get(client) ?? 0) + bytes
    if (own > this.#each || this.#used + bytes > this.#total) return false
    this.#byClient.set(client, own)
    this.#used += bytes
    return true
  }

  give(client: string, bytes: number): void {
    if (bytes === 0) return
    const own = (this.#byClient.get(client) ?? 0) - bytes
    if (own > 0) this.#byClient.set(client, own)
    else this.#byClient.delete(client)
    this.#used -= bytes
  }
}
