const MAX_BLOCKS = 64
const MAX_AGE_MS = 30_000

/**
 * The recently accepted blocks. Other nodes may not have them yet, so proposed blocks name the height before them (AvalancheGo's
 * recommended minimum height). Times are milliseconds of the local clock.
 */
export class RecentBlocks {
  #blocks: readonly { readonly height: bigint; readonly at: number }[] = []

  /** Copies the present list, to restore it later. */
  copy(): RecentBlocks {
    const copy = new RecentBlocks()
    copy.#blocks = this.#blocks
    return copy
  }

  /** Adds a committed block of this height. A proposal and its option are two blocks. */
  add(height: bigint, now: number): void {
    this.#blocks = [...this.#blocks.slice(1 - MAX_BLOCKS), { height, at: now }]
    this.#forget(now)
  }

  /** Returns the height before the oldest block in the list, or the last accepted height if the list is empty. */
  minimumHeight(lastAccepted: bigint, now: number): bigint {
    this.#forget(now)
    const oldest = this.#blocks[0]
    return oldest === undefined ? lastAccepted : oldest.height - 1n
  }

  #forget(now: number): void {
    const firstYoung = this.#blocks.findIndex(({ at }) => now - at <= MAX_AGE_MS)
    if (firstYoung !== 0) this.#blocks = firstYoung < 0 ? [] : this.#blocks.slice(firstYoung)
  }
}
