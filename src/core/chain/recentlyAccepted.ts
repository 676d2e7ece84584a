const MAX_BLOCKS = 64
const MAX_AGE_MS = 30_000

/**
 * The blocks accepted lately: other nodes may not have them yet, so blocks we propose name the height before them
 * (AvalancheGo's recommended minimum height). Times are milliseconds of the local clock.
 */
export class RecentlyAccepted {
  #blocks: readonly { readonly height: bigint; readonly at: number }[] = []

  /** Copies the present list, for a later return to it. */
  copy(): RecentlyAccepted {
    const copy = new RecentlyAccepted()
    copy.#blocks = this.#blocks
    return copy
  }

  /** A block of this height was committed; proposals and their options are two. */
  add(height: bigint, now: number): void {
    this.#blocks = [...this.#blocks, { height, at: now }].slice(-MAX_BLOCKS)
    this.#forget(now)
  }

  /** The height before the oldest block remembered, or the last accepted one where none is. */
  minimumHeight(lastAccepted: bigint, now: number): bigint {
    this.#forget(now)
    const oldest = this.#blocks[0]
    return oldest === undefined ? lastAccepted : oldest.height - 1n
  }

  #forget(now: number): void {
    const firstYoung = this.#blocks.findIndex(({ at }) => now - at <= MAX_AGE_MS)
    this.#blocks = firstYoung < 0 ? [] : this.#blocks.slice(firstYoung)
  }
}
