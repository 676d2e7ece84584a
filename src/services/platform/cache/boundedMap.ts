/** A map that holds at most so many bytes, and lets go of the entry that was not used the longest. */
export class BoundedMap<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly size: number }>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    // A map keeps the order in which keys were put in, so the first one is the oldest.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Puts a value in; one that would push out most of the others is not worth it. */
  set(key: string, value: V, size: number): void {
    this.delete(key)
    if (size > this.#maxBytes / 4) return
    this.#entries.set(key, { value, size })
    this.#bytes += size
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  /** Whether it was there. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key)
    if (!entry) return false
    this.#bytes -= entry.size
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}
