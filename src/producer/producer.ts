import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import type { RecentlyAccepted } from "../core/chain/recentlyAccepted.js"
import type { Invalid } from "../core/lib/invalid.js"
import { type Log, silentLog } from "../core/lib/log.js"
import { max } from "../core/lib/math64.js"
import { doNow, finish, type Work, wait } from "../core/lib/work.js"
import { gasOf, nextStakerChangeTime } from "../core/rules/chainTime.js"
import type { Epoch } from "../core/rules/epoch.js"
import type { GasState } from "../core/rules/gas.js"
import { chainTimeOf } from "../core/rules/run.js"
import type { Tx } from "../core/txs/tx.js"
import { type ID, idText, type NodeID } from "../core/types/id.js"
import { isFinalFailure, isStoreFailure } from "../store/errors.js"
import { invalidAmong } from "./chain/builder.js"
import { ChainHead, type DevState, type Extension } from "./chain/chainHead.js"
import { admit, IssueWaiters } from "./chain/issue.js"
import { secondsUntilGas } from "./chain/secondsUntilGas.js"
import { Stretches } from "./chain/stretches.js"
import type { Clock, ClockState } from "./clock/clock.js"
import { clockMeta, openClock } from "./clock/keptClock.js"
import { producerError } from "./errors.js"
import { fundAccounts } from "./funds/fundAccounts.js"
import { Treasury } from "./funds/treasury.js"
import { DEFAULT_POOL_GAS, type ProducerChoices, type ProducerOptions } from "./options.js"
import { type DueBlocks, type DueBlocksOptions, settle } from "./schedule/produceDueBlocks.js"
import { Renewal } from "./schedule/renewal.js"
import { type BlockMode, Schedule } from "./schedule/schedule.js"
import { SerialQueue } from "./serialQueue.js"

/** Produces the blocks of a private chain. All work at the chain is done in turns; what others may ask meanwhile, it answers at once. */
export class Producer {
  readonly options: ProducerOptions
  readonly choices: ProducerChoices
  readonly head: ChainHead
  readonly clock: Clock
  readonly schedule: Schedule
  readonly treasury: Treasury
  readonly log: Log
  readonly state: DevState
  readonly turns = new SerialQueue()
  readonly waiters = new IssueWaiters()
  readonly #renewal: Renewal | undefined
  #isStopped = false
  /** Why the store cannot be written, since when it cannot. */
  #failing: Invalid | undefined
  #cancelRetry = () => {}

  constructor(options: ProducerOptions) {
    const { rules, genesis, store, state = store, wall, timers, log = silentLog, choices = {}, project } = options
    this.options = options
    this.choices = choices
    this.log = log
    this.state = guarded(state, (error) => this.options.onFault?.(error))
    this.clock = openClock(store, wall, choices, log)
    const { hasWarpLag = false, poolGas = DEFAULT_POOL_GAS, blockMode = { mode: "auto" } } = choices
    this.head = new ChainHead({ rules, state: this.state, clock: this.clock, hasWarpLag, poolGas, project })
    const callbacks = {
      settle: () => this.#onTimer(() => this.settleNow()),
      pack: () => this.#onTimer(() => this.pack()),
      repack: () => this.#onTimer(() => this.#repack()),
    }
    this.schedule = new Schedule(this.head, blockMode, { timers, wall, callbacks })
    this.treasury = new Treasury(this.head, store.latest, genesis)
    this.#renewal = choices.renewsValidators === false ? undefined : new Renewal(this.head, store.latest, genesis, log)
  }

  /** Does what fell due while nobody was here, and funds the accounts of a new chain. */
  start(): Promise<void> {
    return this.turn(() => this.begin())
  }

  /** As `start`, in a turn that has been taken. */
  async begin(): Promise<void> {
    this.keepClock()
    this.head.decideWaiting(this.now())
    if (this.head.chain.lastAccepted.height === 0n) this.#fundAccounts()
    await this.settleNow()
    this.schedule.arm()
  }

  /** Lets work that takes long end at its next pause, with `producer.stopped`: the node is about to stop. */
  interrupt(): void {
    this.head.isInterrupted = true
  }

  /** Finishes the work at hand and makes no further blocks. What waits is not kept. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.interrupt()
    this.schedule.stop()
    this.#cancelRetry()
    await this.turn(() => this.head.flush())
    this.waiters.refuse(producerError("producer.stopped"))
  }

  now(): bigint {
    return this.clock.now()
  }

  uptimeOf(nodeID: NodeID): { readonly connected: boolean; readonly uptime: number } {
    const uptime = this.head.uptimeOf(nodeID)
    return { connected: uptime > 0, uptime }
  }

  proposedHeight(): bigint {
    return this.head.wrappers.proposedHeight()
  }

  currentEpoch(): Epoch {
    return this.head.wrappers.currentEpoch()
  }

  txStatus(txID: ID): { readonly status: "Processing" } | { readonly status: "Dropped"; readonly reason: string } | undefined {
    if (this.head.pool.has(txID)) return { status: "Processing" }
    const drop = this.head.pool.dropOf(txID)
    return drop && { status: "Dropped", reason: drop.reason }
  }

  mempoolSize(): number {
    return this.head.pool.size
  }

  /** Resolves when its block is accepted, or at once where it has to wait: for gas, an interval, or `dev.mine`. Throws `Invalid`. */
  issueTx(tx: Tx): Promise<void> {
    return finish(this.issue(tx))
  }

  /** The same in steps, which name the milliseconds that making the block took: for waiters who are charged for their time. */
  *issue(tx: Tx): Work<void> {
    this.#requireRunning()
    yield* admit(this.head, tx)
    this.#requireRunning()
    if (this.schedule.mode.mode !== "auto") {
      this.schedule.arm()
      return
    }
    const done = this.waiters.wait(tx.id)
    this.schedule.call()
    yield yield* wait(done)
  }

  #requireRunning(): void {
    if (this.#isStopped) throw producerError("producer.stopped")
  }

  onAccepted(listener: (event: AcceptedEvent) => void): () => void {
    return this.head.listen(listener)
  }

  /** Makes blocks of what waits, as many as it takes and gas allows. In a turn. */
  async pack(): Promise<void> {
    await this.settleNow()
    const { arrivals } = this.waiters
    const stretches = new Stretches(this.options.timers)
    let extension: Extension
    do extension = await stretches.finish(this.#extending(this.head.pool, this.now()))
    while (
      this.#bringsGasBack(extension) ||
      (extension.blocks.length > 0 && extension.gasReadyInSeconds === undefined && this.head.pool.size > 0)
    )
    if (extension.isShortOfGas && this.clock.isFrozen) this.#dropWithoutGas()
    await stretches.rest()
    this.head.flush()
    this.waiters.answer(this.head, stretches.milliseconds, arrivals)
    this.schedule.arm(extension.gasReadyInSeconds)
  }

  /**
   * Moves the clock of a chain that makes blocks at once to the second in which there is gas again, never past the next change of
   * stakers: clients make more payments in a second than gas comes back for, and refuse to build what exceeds it. Returns whether it moved
   * for transactions that wait.
   */
  #bringsGasBack({ blocks, gasReadyInSeconds, isShortOfGas }: Extension): boolean {
    if (this.schedule.mode.mode !== "auto" || this.clock.isFrozen || (blocks.length === 0 && !isShortOfGas)) return false
    const now = this.now()
    const seconds = isShortOfGas ? (gasReadyInSeconds ?? 0n) : secondsUntilGas(this.head, now)
    const until = nextStakerChangeTime(this.head.view, this.head.rules, now + seconds)
    if (until <= now) return false
    this.clock.set(until, false)
    this.keepClock()
    this.log.info("clock moved until gas is back", { seconds: until - now })
    return isShortOfGas
  }

  /** Drops what waits for gas that never comes back, since the clock stands still. */
  #dropWithoutGas(): void {
    for (const tx of [...this.head.pool])
      this.head.drop(tx, producerError("producer.frozen_without_gas", { txID: idText(tx.id) }))
  }

  /** The gas that a block built now would start from, and the time of that block. */
  gasNow(): GasState & { readonly time: bigint } {
    const scratch = this.head.scratchAt(this.now())
    return { ...gasOf(scratch), time: chainTimeOf(scratch) }
  }

  /** Makes one block of these, and stakes again whoever left with it. In a turn. */
  extend(candidates: Iterable<Tx>, now: bigint): Extension {
    return doNow(this.#extending(candidates, now))
  }

  *#extending(candidates: Iterable<Tx>, now: bigint): Work<Extension> {
    const extension = yield* this.head.extending(candidates, now)
    if (extension.ended && this.#renewal?.isDue) this.#renewal.renew(now, extension.ended)
    return extension
  }

  /** Makes the blocks that fall due up to a time. In a turn. */
  settle(until: bigint, way: DueBlocksOptions): Promise<DueBlocks> {
    return settle(until, way, { head: this.head, timers: this.options.timers, log: this.log, renewal: this.#renewal })
  }

  /** Does what has fallen due by now, as any transaction of our own comes after it. In a turn. */
  async settleNow(): Promise<void> {
    await this.settle(this.now(), { movesClock: false, carries: !this.isManual })
    if (this.#renewal?.isDue) this.#renewal.renew(this.now())
    this.head.flush()
    this.schedule.arm()
  }

  /** The chain is another one from now on: what others waited for will not come. In a turn. */
  reopened(waiting: Iterable<Tx>, recent?: RecentlyAccepted): void {
    this.head.reopen(recent)
    this.head.replacePool(waiting)
    this.#renewal?.forget()
    this.waiters.refuse(producerError("producer.reverted"))
    this.schedule.arm()
    this.head.tell({ kind: "revert", ...this.head.chain.lastAccepted })
  }

  keepClock(): void {
    this.state.commit(new Map(), { meta: clockMeta(this.clock) })
  }

  get isManual(): boolean {
    return this.schedule.mode.mode === "manual"
  }

  #fundAccounts(): void {
    const { accounts } = this.choices
    if (!accounts || accounts.count === 0 || accounts.balance === 0n) return
    const { head, treasury, log } = this
    fundAccounts(accounts, { head, treasury, log, extend: (...args) => this.extend(...args) })
    this.keepClock()
  }

  #repack(): void {
    for (const { tx, error } of invalidAmong(this.head.pool, this.head.contextAt(this.now()))) this.head.drop(tx, error)
    this.schedule.arm()
  }

  /**
   * Does something at the chain in its turn. Where the store fails, all that was not written is forgotten: blocks, the clock, the block
   * mode; nothing that is not on the disk may be taken for accepted.
   */
  turn<T>(task: () => T | Promise<T>): Promise<T> {
    return this.turns.take(async () => {
      const before = { clock: this.clock.state, mode: this.schedule.mode }
      try {
        return await task()
      } catch (error) {
        if (isStoreFailure(error)) this.#goBackToDisk(error, before)
        throw error
      }
    })
  }

  #goBackToDisk(error: Invalid, before: { readonly clock: ClockState; readonly mode: BlockMode }): void {
    this.head.reopen()
    this.#renewal?.forget()
    this.clock.restore(before.clock)
    // Some of the work may have been written, and the clock never shows less than the chain.
    this.clock.set(max(this.clock.now(), chainTimeOf(this.head.view)), this.clock.isFrozen)
    this.schedule.mode = before.mode
    for (const txID of this.waiters.refuse(error)) this.head.pool.remove(txID)
    // The store may have been opened anew, and moments of it that others hold are gone.
    this.head.tell({ kind: "override" })
    this.#awaitDisk(error)
  }

  /** Tries to write now and then, until it can: nobody may call meanwhile, and stakers change by themselves. */
  #awaitDisk(error: Invalid): void {
    this.schedule.disarm()
    if (this.#failing?.code !== error.code)
      this.log.error("the store cannot be written", { code: error.code, reason: error.message })
    this.#failing = error
    if (isFinalFailure(error) || this.#isStopped) return
    this.#cancelRetry()
    this.#cancelRetry = this.options.timers.after(RETRY_MILLISECONDS, () => {
      if (this.#isStopped) return
      this.turn(() => this.#resume()).catch((again) => this.#onTimerFault(again))
    })
  }

  /** Writes what the clock shows; where that succeeds, everything goes on. */
  async #resume(): Promise<void> {
    this.keepClock()
    this.log.info("the store is written again", { height: this.head.chain.lastAccepted.height })
    this.#failing = undefined
    if (this.schedule.mode.mode === "auto") await this.pack()
    else await this.settleNow()
  }

  #onTimer(task: () => void | Promise<void>): void {
    if (this.#isStopped) return
    this.turn(task).catch((error) => this.#onTimerFault(error))
  }

  /** A store that fails is tried again; anything else that nobody asked for is a fault of ours. */
  #onTimerFault(error: unknown): void {
    if (isStoreFailure(error) || this.#isStopped) return
    this.waiters.refuse(error)
    this.options.onFault?.(error)
  }
}

/** How long to wait before a store that failed is written to again. */
const RETRY_MILLISECONDS = 1000

/** A state that tells of failures which are not the disk's: with those the node must stop. */
function guarded(state: DevState, onFault: (error: unknown) => void): DevState {
  return {
    latest: state.latest,
    commit(edits, options) {
      try {
        state.commit(edits, options)
      } catch (error) {
        if (!isStoreFailure(error)) onFault(error)
        throw error
      }
    },
  }
}

/** Makes a producer; it works once it is started. */
export function createProducer(options: ProducerOptions): Producer {
  return new Producer(options)
}
