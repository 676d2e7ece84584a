interface Entry<V> {
  readonly value: V
  readonly size: number
  /** The number of entries that had been moved to the end of the order when this one was. */
  placed: number
}

/**
 * A map with a limit on its size. When it is full, the least recently used entry is removed. The newest eighth is not ordered by use. Sizes
 * are bytes, or 1 for each entry.
 */
export class LruCache<V> {
  readonly maxSize: number
  /** A `Map` keeps the order of insertion, so its first key is the least recently used one. */
  readonly #entries = new Map<string, Entry<V>>()
  #size = 0
  #placed = 0

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
    // Moving an entry takes longer than finding it, so an entry among the newest eighth stays where it is.
    if (this.#placed - entry.placed > this.#entries.size >> 3) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      entry.placed = ++this.#placed
    }
    return entry.value
  }

  set(key: string, value: V, size = 1): void {
    this.delete(key)
    this.#entries.set(key, { value, size, placed: ++this.#placed })
    this.#size += size
    if (this.#size > this.maxSize) this.#evict()
  }

  /** Deletes the least recently used entries until the others are within the limit. */
  #evict(): void {
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
