import { hasExplorerRows } from "../../core/readmodel/explorer/projectExplorer.js"
import { type BlockPlace, REMEMBERED, type Removals, withRemoval } from "../../core/state/removedBlocks.js"
import { tables } from "../../core/state/tables.js"
import type { ID } from "../../core/types/id.js"
import { genesisEdits, type StoredChain } from "../../datadir/storedChain.js"
import type { Store } from "../../store/store.js"

/** The number of blocks within which a copy goes back to a marked state. It returns to genesis from there if it has to go back further. */
const MARKED_BLOCKS = 1024n

/** A state of the copy to which it can go back. */
interface Mark {
  readonly snapshot: number
  readonly last: BlockPlace
  readonly overrides: number
}

/** A revert that the readers of the copy were not told of yet. */
interface OwedRevert {
  /** The last block that readers know, and the IDs of the blocks up to it, as far down as they are remembered. */
  readonly tip: BlockPlace
  readonly ids: ReadonlyMap<bigint, ID>
  /** The removals before. */
  readonly removals: Removals
  /** The height up to which the new chain is said to have the same blocks. */
  readonly until: bigint
}

/**
 * The states to which the copy of a private chain can go back: some of the latest ones, the nearer the more, and genesis. The blocks between
 * such a state and the last common block are executed again before readers are told of the revert.
 */
export class WayBack {
  readonly #store: Store
  readonly #data: StoredChain
  readonly #marks: Mark[] = []
  #owed: OwedRevert | undefined

  constructor(store: Store, data: StoredChain) {
    this.#store = store
    this.#data = data
  }

  /** True from the moment when the copy goes back until its readers are told. */
  get isOwed(): boolean {
    return this.#owed !== undefined
  }

  /** Marks the present state. */
  mark(last: BlockPlace, overrides: number): void {
    this.#marks.push({ snapshot: this.#store.snapshot(), last, overrides })
    const age = (at: number) => last.height - (this.#marks[at] as Mark).last.height
    while (age(0) > MARKED_BLOCKS) this.#drop(0)
    // Twice as far back, the marks are half as many.
    for (let at = this.#marks.length - 2; at > 0; at--) if (age(at - 1) <= 2n * age(at + 1)) this.#drop(at)
  }

  #drop(at: number): void {
    const [{ snapshot }] = this.#marks.splice(at, 1) as [Mark]
    this.#store.dropSnapshot(snapshot)
  }

  /** Returns the store to the newest state that is not after a height and has no more than some overrides. `tip` is the last block. */
  goBack(tip: BlockPlace, height: bigint, overrides: number): void {
    const before = this.#owed ?? this.#known(tip)
    const owed = { ...before, until: height < before.until ? height : before.until }
    const at = this.#marks.findLastIndex((mark) => mark.last.height <= height && mark.overrides <= overrides)
    const mark = this.#marks[at]
    if (mark) this.#store.revert(mark.snapshot, { removedBlocks: removalsOf(owed, mark.last) })
    else this.#returnToGenesis(owed)
    this.#marks.length = Math.max(at, 0) + 1
    this.#owed = owed
  }

  #returnToGenesis(owed: OwedRevert): void {
    const last = { height: 0n, id: this.#data.genesis.block.id }
    const edits = genesisEdits(this.#data, hasExplorerRows(this.#store.latest))
    this.#store.commit(edits, { replaceAll: true, meta: { removedBlocks: removalsOf(owed, last) } })
    this.#marks[0] = { snapshot: this.#store.snapshot(), last, overrides: 0 }
  }

  /** Returns what readers know. */
  #known(tip: BlockPlace): OwedRevert {
    const { latest } = this.#store
    const from = tip.height < REMEMBERED ? 0n : tip.height - BigInt(REMEMBERED)
    const ids = new Map(latest.rows(tables.blockIDs, { from }))
    return { tip, ids, removals: this.#store.getMeta("removedBlocks") ?? [], until: tip.height }
  }

  /**
   * Returns the last common block if readers have to be told now: the chain has it, and has another block or none after it. Readers are told of
   * no block before.
   */
  settle(last: BlockPlace): BlockPlace | undefined {
    const owed = this.#owed
    if (!owed) return undefined
    const { latest } = this.#store
    let height = last.height < owed.until ? last.height : owed.until
    const isCommon = (at: bigint, known = owed.ids.get(at)) => known === undefined || known === latest.get(tables.blockIDs, at)
    while (!isCommon(height)) height--
    const id = latest.get(tables.blockIDs, height)
    if (id === undefined || (height === last.height && height < owed.until)) return undefined
    const common = { height, id }
    this.#store.putMeta({ removedBlocks: removalsOf(owed, common) })
    this.#owed = undefined
    return common
  }
}

const removalsOf = ({ removals, tip, ids }: OwedRevert, common: BlockPlace): Removals =>
  withRemoval(removals, tip.height, common, (height) => ids.get(height))
