interface Entry<V> {
  readonly value: V
  readonly size: number
}

/** A map with a limit on its size. When it is full, the least recently used entry is removed. Sizes are bytes, or 1 for each entry. */
export class LruCache<V> {
  readonly maxSize: number
  /** A `Map` keeps the order of insertion, so its first key is the least recently used one. */
  readonly #entries = new Map<string, Entry<V>>()
  #size = 0

  constructor(maxSize: number) {
    if (!(maxSize >= 1)) throw new Error(`a cache has room for 1 at least, not ${maxSize}`)
    this.maxSize = maxSize
  }

  /** The sum of all sizes. */
  get size(): number {
    return this.#size
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: V, size = 1): void {
    this.delete(key)
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.maxSize) return
      this.delete(oldest)
    }
  }

  /** Deletes a key. Returns whether it was there. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key)
    if (!entry) return false
    this.#size -= entry.size
    return this.#entries.delete(key)
  }
}
