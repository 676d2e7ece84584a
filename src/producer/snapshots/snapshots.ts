import type { RecentBlocks } from "../../core/chain/recentBlocks.js"
import type { Tx } from "../../core/txs/tx.js"
import type { Store } from "../../store/store.js"
import { producerError } from "../errors.js"
import type { BlockMode } from "../schedule/schedule.js"
import type { ChainTurn } from "../turn/chainTurn.js"

/** What identifies a snapshot for a person. */
interface SnapshotFacts {
  readonly id: number
  readonly height: bigint
  readonly name: string
  /** The time of the clock, Unix seconds. */
  readonly now: bigint
}

/** The parts of a snapshot that are not in the store. */
interface SnapshotParts extends SnapshotFacts {
  readonly waiting: readonly Tx[]
  readonly isFrozen: boolean
  readonly blockMode: BlockMode
  readonly recent: RecentBlocks
}

/** The maximum number of snapshots. Some test suites take one before each test and never release it. */
const MAX_SNAPSHOTS = 1000

/** The snapshots that a chain can be reverted to. They are lost when the process ends. */
export class Snapshots {
  readonly #store: Store
  readonly #moments = new Map<number, SnapshotParts>()

  constructor(store: Store) {
    this.#store = store
  }

  get all(): readonly SnapshotFacts[] {
    return [...this.#moments.values()]
  }

  take(chain: ChainTurn, name = ""): { readonly id: number; readonly height: bigint } {
    chain.written()
    const id = this.#store.snapshot()
    const { lastAccepted, wrappers, pool } = chain.status
    const { height } = lastAccepted
    const clock = { now: chain.now(), isFrozen: chain.isFrozen }
    const { blockMode } = chain
    this.#moments.set(id, { id, height, name, waiting: [...pool], ...clock, blockMode, recent: wrappers.recent })
    if (this.#moments.size > MAX_SNAPSHOTS) this.#dropOldest()
    return { id, height }
  }

  /** Drops the second snapshot. The first one is the state with which a test suite began. */
  #dropOldest(): void {
    const [, oldest] = this.#moments.keys()
    if (oldest === undefined) return
    this.#moments.delete(oldest)
    this.#store.dropSnapshot(oldest)
  }

  /** Restores the state, the clock, the mempool and the block mode of a snapshot. Throws `producer.unknown_snapshot`. */
  async revert(chain: ChainTurn, id: number): Promise<{ readonly height: bigint }> {
    const moment = this.#moments.get(id)
    if (!moment) throw producerError("producer.unknown_snapshot", { id, known: [...this.#moments.keys()] })
    await chain.replaceChain(({ setClock, removing }) => {
      this.#store.revert(id, { ...setClock(moment.now, moment.isFrozen), ...removing(moment.height) })
      return moment
    })
    chain.setBlockMode(moment.blockMode)
    for (const later of this.#moments.keys()) if (later > id) this.#moments.delete(later)
    return { height: moment.height }
  }

  /** Drops all snapshots, also in the store. */
  dropAll(): void {
    for (const id of this.#store.snapshots) this.#store.dropSnapshot(id)
    this.forget()
  }

  /** Drops all snapshots, because the chain was replaced. */
  forget(): void {
    this.#moments.clear()
  }
}
