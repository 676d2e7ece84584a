/**
 * A map of the entries that were used recently: at least `size` of them, and at most twice as many. It keeps two generations and forgets the
 * older one when the younger one is full, so that reading an entry changes nothing. For small values that are read far more often than written.
 */
export class RecentCache<V> {
  readonly #size: number
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  constructor(size: number) {
    if (!(size >= 1)) throw new Error(`a cache has room for 1 at least, not ${size}`)
    this.#size = size
  }

  get(key: string): V | undefined {
    const found = this.#young.get(key)
    if (found !== undefined) return found
    const older = this.#old.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }
}
