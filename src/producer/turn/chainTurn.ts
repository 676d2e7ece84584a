import type { Invalid } from "../../core/lib/invalid.js"
import type { Log } from "../../core/lib/log.js"
import type { Pace } from "../../core/lib/pace.js"
import { WorkPace } from "../../core/lib/workPace.js"
import type { Edits, IndexedView } from "../../core/state/view.js"
import type { Tx } from "../../core/txs/tx.js"
import { isRefusal } from "../../store/errors.js"
import type { Extension } from "../chain/chainHead.js"
import type { ChainStatus } from "../chain/chainStatus.js"
import { clockMeta } from "../clock/storedClock.js"
import { producerError } from "../errors.js"
import type { Treasury } from "../funds/treasury.js"
import type { SigningKey } from "../keys/key.js"
import type { PrivateChainOptions } from "../options.js"
import { type DueBlocks, type DueBlocksOptions, produceDueBlocks } from "../schedule/produceDueBlocks.js"
import type { BlockMode } from "../schedule/schedule.js"
import type { Override } from "../tables.js"
import type { ChainParts } from "./chainParts.js"
import { replaceChain, type WriteChain } from "./replaceChain.js"

/** The number of blocks that share a transaction of the store. Searching larger groups costs more than they save. */
const BLOCKS_PER_COMMIT = 32

/** The issuers that a turn answers. */
export interface AnsweredIssuers {
  /**
   * The event loop time that the issuers are charged for together, to which the time of writing is added; omitted if they are not charged.
   */
  readonly pace?: WorkPace
  /** The number of issuers, in order of arrival; all by default. */
  readonly arrivals?: number
}

/**
 * The only object that can extend a private chain, apply overrides or move its clock. `PrivateChain.turn` passes it to one task at a time.
 * When the task has ended, `run` writes the blocks and the clock, answers issuers and sets the timers; after that, every change throws.
 */
export class ChainTurn {
  readonly status: ChainStatus
  readonly options: PrivateChainOptions
  readonly treasury: Treasury
  readonly log: Log
  readonly #parts: ChainParts
  /** The pace of the work in this turn. */
  readonly pace: WorkPace
  /** Seconds until there may be gas for the waiting transactions, if they wait for gas. */
  #gasReadyInSeconds: bigint | undefined
  /** The issuers that are answered at the end; `undefined` if there are none. */
  #answered: AnsweredIssuers | undefined
  #isOver = false

  constructor(parts: ChainParts) {
    this.status = parts.head
    this.options = parts.options
    this.treasury = parts.treasury
    this.log = parts.log
    this.#parts = parts
    this.pace = new WorkPace(() => performance.now(), parts.options.timers.soon)
  }

  /** Returns the clock of the chain, Unix seconds. */
  now(): bigint {
    return this.#parts.clock.now()
  }

  /** Returns the keys of the accounts (`--accounts`). */
  accountKeys(): readonly SigningKey[] {
    return this.#parts.accountKeys()
  }

  get isFrozen(): boolean {
    return this.#parts.clock.isFrozen
  }

  /** False while the chain cannot make its next block. */
  get isMaking(): boolean {
    return this.#parts.halt.reason === undefined
  }

  get blockMode(): BlockMode {
    return this.#parts.schedule.mode
  }

  /** Makes one block of these candidates, and stakes for a built-in validator that leaves with it. */
  async extend(candidates: Iterable<Tx>, pace: Pace = this.pace): Promise<Extension> {
    const { head, renewal } = this.#open()
    const now = this.now()
    const extension = await this.#making(() => head.extend(candidates, now, pace))
    this.#gasReadyInSeconds = extension.gasReadyInSeconds
    if (extension.ended && renewal?.isDue(head)) await renewal.renew(head, now, pace, extension.ended)
    return extension
  }

  /** Makes the blocks that are due up to a time (Unix seconds). */
  produceDueBlocks(until: bigint, options: DueBlocksOptions): Promise<DueBlocks> {
    const { head, clock, log, renewal } = this.#open()
    const pause = (made: number) => this.pause(made)
    return this.#making(() => produceDueBlocks(until, options, { head, clock, log, renewal, pause, pace: this.pace }))
  }

  /** Makes the blocks that are due by now. Every operation that makes a block of its own calls this first. */
  async catchUp(): Promise<void> {
    await this.produceDueBlocks(this.now(), { movesClock: false, includesMempool: this.blockMode.mode !== "manual" })
    const { head, renewal } = this.#open()
    if (renewal?.isDue(head)) await renewal.renew(head, this.now(), this.pace)
  }

  /**
   * Decides a proposal that was accepted before the last stop and has no option yet, and makes the blocks that are due. Returns false if
   * the next block cannot be made: the chain is there all the same, and tries again.
   */
  async resume(): Promise<boolean> {
    const { head, halt } = this.#open()
    try {
      await this.#making(() => ({ blocks: head.decideWaiting(this.now()) }))
      await this.catchUp()
      return true
    } catch (error) {
      if (halt.reason === undefined) throw error
      return false
    }
  }

  /** Makes blocks. A refusal means that the chain cannot make its next block. */
  async #making<T extends { readonly blocks: number | readonly unknown[] }>(make: () => T | Promise<T>): Promise<T> {
    const { halt } = this.#parts
    try {
      const made = await make()
      halt.succeeded(typeof made.blocks === "number" ? made.blocks : made.blocks.length)
      return made
    } catch (error) {
      if (isRefusal(error) && error.code !== "producer.stopped") halt.failed(error)
      throw error
    }
  }

  /** Verifies a transaction and adds it to the mempool. Throws the reason of a refusal. */
  admit(tx: Tx): Promise<void> {
    return this.#open().head.admit(tx, this.pace)
  }

  /** Removes a transaction from the mempool, and remembers the reason. */
  drop(tx: Pick<Tx, "id">, error: Invalid): void {
    this.#open().head.drop(tx, error)
  }

  /** Forgets why transactions were dropped. Waiting transactions stay in the mempool. */
  forgetDrops(): void {
    const { head } = this.#open()
    head.replacePool(head.pool)
  }

  /** Applies overrides after the last accepted block. */
  applyOverrides(overrides: readonly Override[]): void {
    this.#open().head.applyOverrides(overrides)
  }

  /** Sets the clock to a time (Unix seconds). The end of the turn writes it. */
  moveClock(to: bigint, isFrozen: boolean = this.isFrozen): void {
    this.#open().clock.set(to, isFrozen)
  }

  setBlockMode(mode: BlockMode): void {
    this.#open().schedule.mode = mode
  }

  /** Writes everything accepted so far, and returns the store's state, whose indexes then include it. */
  written(): IndexedView {
    return this.#open().head.written()
  }

  /** Writes rows that do not belong to the chain's state, after the blocks accepted so far. */
  commit(edits: Edits): void {
    const { head } = this.#open()
    head.flush()
    head.commit(edits)
  }

  /** Replaces the whole chain by the one that `write` writes into the store. */
  replaceChain(write: WriteChain): Promise<void> {
    return replaceChain(this.#open(), write)
  }

  /** The number of issuers that have arrived so far. */
  get issuerArrivals(): number {
    return this.#parts.waiters.arrivals
  }

  /** Answers issuers of transactions when the turn ends. */
  answerIssuers(answered: AnsweredIssuers): void {
    this.#answered = answered
  }

  /**
   * Called after the n-th block of many. It writes at times, and lets other work run. Throws `producer.stopped` if the node is stopping.
   */
  async pause(made: number): Promise<void> {
    const { head } = this.#open()
    this.requireRunning()
    if (made % BLOCKS_PER_COMMIT === 0) head.flush()
    if (this.pace.isDue) await this.pace.pause()
  }

  /** Throws `producer.stopped` if the node is stopping. */
  requireRunning(): void {
    if (this.#open().isInterrupted()) throw producerError("producer.stopped")
  }

  /** Lets other work run. */
  yield(): Promise<void> {
    return new Promise((resolve) => this.options.timers.soon(resolve))
  }

  /** Writes the blocks and the clock, answers issuers, and sets the timers. */
  #end(): void {
    const { head, clock, waiters, schedule, renewal } = this.#open()
    this.#isOver = true
    head.flush()
    renewal?.report()
    if (!clock.isSaved) {
      head.commit(new Map(), { meta: clockMeta(clock) })
      clock.markSaved()
    }
    if (this.#answered) waiters.answer(head, this.#answered.pace?.milliseconds ?? 0, this.#answered.arrivals)
    schedule.reschedule(this.#gasReadyInSeconds)
  }

  /** Runs the task of the turn and ends it, also after a refusal. Nothing is written after a fault in Serac or a failure of the store. */
  async run<T>(task: (chain: ChainTurn) => T | Promise<T>): Promise<T> {
    try {
      const result = await task(this)
      this.#end()
      return result
    } catch (error) {
      if (isRefusal(error) && !this.#isOver) this.#end()
      this.#isOver = true
      throw error
    }
  }

  /** Returns the parts while the turn lasts. */
  #open(): ChainParts {
    if (this.#isOver) throw new Error("the turn at the private chain is over")
    return this.#parts
  }
}
