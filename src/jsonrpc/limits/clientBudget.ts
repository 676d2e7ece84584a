/** Limits how much of something, such as bytes or pending calls, each client and all clients together may occupy at a time. */
export class ClientBudget {
  readonly #total: number
  readonly #each: number
  readonly #byClient = new Map<string, number>()
  #used = 0

  constructor(total: number, each = total) {
    this.#total = total
    this.#each = each
  }

  /** The amount that all clients together occupy. */
  get used(): number {
    return this.#used
  }

  /** Returns whether neither the client nor all clients together occupy as much as they may. Takes nothing. */
  isBelowLimit(client: string): boolean {
    return this.#used < this.#total && (this.#byClient.get(client) ?? 0) < this.#each
  }

  /** Takes an amount for a client. Returns false and takes nothing if the client or all clients together would have too much. */
  take(client: string, amount: number): boolean {
    if (amount === 0) return true
    const own = (this.#byClient.get(client) ?? 0) + amount
    if (own > this.#each || this.#used + amount > this.#total) return false
    this.#byClient.set(client, own)
    this.#used += amount
    return true
  }

  /** Returns an amount that was taken. */
  give(client: string, amount: number): void {
    if (amount === 0) return
    const own = (this.#byClient.get(client) ?? 0) - amount
    if (own > 0) this.#byClient.set(client, own)
    else this.#byClient.delete(client)
    this.#used -= amount
  }
}
