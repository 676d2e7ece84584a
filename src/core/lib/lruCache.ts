interface Entry<V> {
  readonly value: V
  readonly size: number
  /** True if the entry was used since it was set, or since it got its second chance. */
  wasUsed: boolean
}

/** The entries that get their second chance in one `set`, at most, so that it never takes long. Then the oldest ones are removed, used or not. */
const MAX_CHANCES = 64

/**
 * A map with a limit on its size. When it is full, the oldest entry is removed; one that was used meanwhile gets a second chance and
 * becomes the newest. Sizes are bytes, or 1 for each entry.
 */
export class LruCache<V> {
  readonly maxSize: number
  /** A `Map` keeps the order of insertion, so its first key is the oldest one. */
  readonly #entries = new Map<string, Entry<V>>()
  #size = 0

  constructor(maxSize: number) {
    if (!(maxSize >= 1)) throw new Error(`a cache has room for 1 at least, not ${maxSize}`)
    this.maxSize = maxSize
  }

  get size(): number {
    return this.#size
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (entry) entry.wasUsed = true
    return entry?.value
  }

  /** Returns the value of a key, which is made if it is not there. Nothing is kept if `make` throws. */
  valueOf(key: string, make: () => V): V {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = make()
    this.set(key, value)
    return value
  }

  set(key: string, value: V, size = 1): void {
    this.delete(key)
    this.#entries.set(key, { value, size, wasUsed: false })
    this.#size += size
    let chances = 0
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.maxSize) return
      const stays = (entry.wasUsed && chances < MAX_CHANCES) || (oldest === key && this.#entries.size > 1)
      if (!stays) this.delete(oldest)
      else {
        chances++
        entry.wasUsed = false
        this.#entries.delete(oldest)
        this.#entries.set(oldest, entry)
      }
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
