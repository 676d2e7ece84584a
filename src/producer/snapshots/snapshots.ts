import type { RecentlyAccepted } from "../../core/chain/recentlyAccepted.js"
import type { Tx } from "../../core/txs/tx.js"
import { clockMeta } from "../clock/keptClock.js"
import { producerError } from "../errors.js"
import type { Producer } from "../producer.js"
import type { BlockMode } from "../schedule/schedule.js"

/** What a snapshot of the store lacks. */
interface Moment {
  readonly id: number
  readonly height: bigint
  readonly waiting: readonly Tx[]
  /** Unix seconds. */
  readonly now: bigint
  readonly isFrozen: boolean
  readonly blockMode: BlockMode
  readonly recent: RecentlyAccepted
}

/** How many snapshots are kept. A test suite takes one before each test and never says that it is done with it. */
const MOST_SNAPSHOTS = 1000

/** The moments that one may go back to. They live as long as the process, the first and the latest of them. */
export class Snapshots {
  readonly #producer: Producer
  readonly #moments = new Map<number, Moment>()

  constructor(producer: Producer) {
    this.#producer = producer
  }

  get all(): readonly { readonly id: number; readonly height: bigint }[] {
    return [...this.#moments.values()].map(({ id, height }) => ({ id, height }))
  }

  /** In a turn. */
  take(): { readonly id: number; readonly height: bigint } {
    const { head, options, clock, schedule } = this.#producer
    head.flush()
    const id = options.store.snapshot()
    const { height } = head.chain.lastAccepted
    const { recent } = head.wrappers
    const time = { now: clock.now(), isFrozen: clock.isFrozen }
    this.#moments.set(id, { id, height, waiting: [...head.pool], ...time, blockMode: schedule.mode, recent })
    if (this.#moments.size > MOST_SNAPSHOTS) this.#dropOldest()
    return { id, height }
  }

  /** The first of all stays: it is what a whole suite began with. */
  #dropOldest(): void {
    const [, oldest] = this.#moments.keys()
    if (oldest === undefined) return
    this.#moments.delete(oldest)
    this.#producer.options.store.dropSnapshot(oldest)
  }

  /** Puts everything back to where it stood, the clock too, which runs on from there. Throws `producer.unknown_snapshot`. In a turn. */
  revert(id: number): { readonly height: bigint } {
    const moment = this.#moments.get(id)
    if (!moment) throw producerError("producer.unknown_snapshot", { id, known: [...this.#moments.keys()] })
    const { options, clock, schedule } = this.#producer
    clock.set(moment.now, moment.isFrozen)
    options.store.revert(id, clockMeta(clock))
    for (const later of this.#moments.keys()) if (later > id) this.#moments.delete(later)
    schedule.mode = moment.blockMode
    this.#producer.reopened(moment.waiting, moment.recent)
    return { height: moment.height }
  }

  forget(): void {
    this.#moments.clear()
  }
}
