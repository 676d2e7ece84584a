import { type BlockPlace, REMEMBERED, type Removals, withRemoval } from "../../core/state/removedBlocks.js"
import { type ID, idText, parseID } from "../../core/types/id.js"
import type { Database } from "../../postgres/connection.js"
import { readBlockIDs } from "../../postgres/read/publishedBlocks.js"

/** The latest blocks that a read server has reported, without gaps, so that it can say how far they go back. */
export class ReportedBlocks {
  readonly #database: Database
  readonly #genesis: BlockPlace
  readonly #ids = new Map<bigint, ID>()
  #last: BlockPlace
  /** True if blocks were reported after others that are not among these IDs. */
  #hasGap = false

  /** `genesis` is the first block, which every chain of this database has. */
  constructor(database: Database, genesis: BlockPlace) {
    this.#database = database
    this.#genesis = genesis
    this.#last = genesis
  }

  get last(): BlockPlace {
    return this.#last
  }

  add({ height, id }: BlockPlace): void {
    if (height !== this.#last.height + 1n) {
      this.#ids.clear()
      this.#hasGap = true
    }
    this.#ids.set(height, id)
    this.#ids.delete(height - BigInt(REMEMBERED))
    this.#last = { height, id }
  }

  /** Reads the blocks before the last accepted one, where they were not reported one by one. Does nothing if the database has another chain. */
  async fill(last: BlockPlace): Promise<void> {
    if (this.#last.id === last.id && !this.#hasGap) return
    const rows = await readBlockIDs(this.#database, last.height, REMEMBERED)
    this.#ids.clear()
    this.#last = last
    this.#hasGap = rows[0]?.id !== idText(last.id)
    if (this.#hasGap) return
    for (const { height, id } of rows) this.#ids.set(height, parseID(id))
  }

  /** Returns the last reported block that the database still has, or genesis. */
  async commonWithDatabase(): Promise<BlockPlace> {
    const rows = await readBlockIDs(this.#database, this.#last.height, REMEMBERED)
    const found = rows.find(({ height, id }) => height > 0n && this.#ids.get(height) === parseID(id))
    return found ? { height: found.height, id: parseID(found.id) } : this.#genesis
  }

  /** Forgets the blocks after a common one, and returns these removals with that of them. */
  goBack(known: Removals, common: BlockPlace): Removals {
    const removals = withRemoval(known, this.#last.height, common, (height) => this.#ids.get(height))
    for (const height of [...this.#ids.keys()]) if (height > common.height) this.#ids.delete(height)
    this.#last = common
    return removals
  }
}
