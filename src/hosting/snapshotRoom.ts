/** The memory that an old row takes besides its bytes, roughly: 500,000 keys without a value took 158 MB, of which 16 were their bytes. */
const ROW_BYTES = 300

/** Counts the memory for the old rows of hosted chains that the snapshots of the P-Chain's store keep. */
export class SnapshotRoom {
  readonly #maxBytes: number
  readonly #onFull: () => void
  /** The snapshots, oldest first, and the bytes that were kept when each was taken. */
  #snapshots: { readonly id: number; readonly bytes: number }[] = []
  /** The rows that have changed since the last snapshot. */
  #changed = new Set<string>()
  #bytes = 0
  #lost: ReadonlySet<number> = new Set()

  /** `onFull` is called after a write for whose old rows there is no room: all snapshots are lost. */
  constructor(maxBytes: number, onFull: () => void) {
    this.#maxBytes = maxBytes
    this.#onFull = onFull
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Returns whether a snapshot was lost. */
  isLost(id: number): boolean {
    return this.#lost.has(id)
  }

  /** Records a snapshot that was taken. `ids` are the snapshots that there are now. */
  taken(id: number, ids: readonly number[]): void {
    this.#snapshots = [...this.#snapshots.filter((each) => ids.includes(each.id)), { id, bytes: this.#bytes }]
    this.#changed.clear()
  }

  /** Forgets what was kept since a snapshot, to which all chains have returned. */
  returnedTo(id: number): void {
    this.#snapshots = this.#snapshots.filter((each) => each.id <= id)
    this.#bytes = this.#snapshots.at(-1)?.bytes ?? 0
    this.#changed.clear()
  }

  /** Forgets all snapshots, because the chains were replaced. */
  clear(): void {
    this.#snapshots = []
    this.#bytes = 0
    this.#changed.clear()
  }

  /** Counts rows that were written, and their old values. */
  take(rows: Iterable<readonly [text: string, old: Uint8Array | undefined]>): void {
    if (this.#snapshots.length === 0) return
    for (const [text, old] of rows) {
      if (this.#changed.has(text)) continue
      this.#changed.add(text)
      this.#bytes += ROW_BYTES + text.length / 2 + (old?.length ?? 0)
    }
    if (this.#bytes <= this.#maxBytes) return
    this.#lost = new Set(this.#snapshots.map(({ id }) => id))
    this.clear()
    this.#onFull()
  }
}
