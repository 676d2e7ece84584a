import { LruCache } from "../core/lib/lruCache.js"

/** Number of kinds of texts. Each has an equal share of half of the limit. */
const TEXT_KINDS = 8

/** Approximate size of an entry besides its value, bytes. */
const ENTRY_BYTES = 200

/** Values from which answers are made, within a limit of bytes. Each depends on its key alone, so that none becomes outdated. */
export class Memo {
  readonly #values: LruCache<unknown>
  readonly #texts = new Map<string, LruCache<string>>()
  readonly #maxTextBytes: number

  constructor(maxBytes: number) {
    this.#values = new LruCache(maxBytes / 2)
    this.#maxTextBytes = maxBytes / 2 / TEXT_KINDS
  }

  /** Returns the value of a key, if it is there. */
  known<T extends object>(key: string): T | undefined {
    return this.#values.get(key) as T | undefined
  }

  /** Returns the value of a key. If it is not there, it is made and stored. `bytesOf` returns its size. */
  async made<T extends object>(key: string, make: () => Promise<T>, bytesOf: (value: T) => number): Promise<T> {
    const known = this.known<T>(key)
    if (known) return known
    const value = await make()
    return this.keep(key, value, bytesOf(value))
  }

  /** Stores a value of some bytes and returns it. */
  keep<T extends object>(key: string, value: T, bytes: number): T {
    const size = ENTRY_BYTES + key.length + bytes
    // A value that would evict most of the others is not stored.
    if (size <= this.#values.maxSize / 4) this.#values.set(key, value, size)
    return value
  }

  /** Returns the text of an ID or address as the API writes it. Few of them recur often. */
  text(kind: string, value: string, make: () => string): string {
    let texts = this.#texts.get(kind)
    if (!texts) {
      texts = new LruCache(this.#maxTextBytes)
      this.#texts.set(kind, texts)
    }
    const known = texts.get(value)
    if (known !== undefined) return known
    const text = make()
    texts.set(value, text, value.length + text.length + ENTRY_BYTES)
    return text
  }
}
