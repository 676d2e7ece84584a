import { AsyncResource } from "node:async_hooks"
import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import { Emitter } from "../core/lib/emitter.js"
import { Invalid } from "../core/lib/invalid.js"
import { max } from "../core/lib/math64.js"
import { type ChargedPace, neverPausing } from "../core/lib/pace.js"
import { chainTimeOf } from "../core/rules/context.js"
import { tables } from "../core/state/tables.js"
import type { Edits } from "../core/state/view.js"
import type { Tx } from "../core/txs/tx.js"
import type { ID } from "../core/types/id.js"
import { isFinalFailure, isStoreFailure } from "../store/errors.js"
import type { ChainEvents } from "./chain/chainHead.js"
import type { ChainStatus } from "./chain/chainStatus.js"
import { TxWaiters } from "./chain/txWaiters.js"
import type { ClockState, ReadableClock } from "./clock/clock.js"
import { producerError } from "./errors.js"
import type { Treasury } from "./funds/treasury.js"
import type { SigningKey } from "./keys/key.js"
import type { PrivateChainOptions } from "./options.js"
import type { BlockMode } from "./schedule/schedule.js"
import { SerialQueue } from "./serialQueue.js"
import { Snapshots } from "./snapshots/snapshots.js"
import type { Override } from "./tables.js"
import { beginChain } from "./turn/beginChain.js"
import { type ChainParts, openChainParts } from "./turn/chainParts.js"
import { ChainTurn } from "./turn/chainTurn.js"
import { dropInvalid, packMempool } from "./turn/packMempool.js"

/** The time between two attempts to write to a store that failed, milliseconds. */
const RETRY_MILLISECONDS = 1000

/** A private chain, which makes its own blocks. Every change runs in a turn; it can be read at any time. */
export class PrivateChain {
  readonly options: PrivateChainOptions
  readonly status: ChainStatus
  readonly clock: ReadableClock
  readonly treasury: Treasury
  readonly snapshots: Snapshots
  /** The calls of `dev.waitForTx`. */
  readonly txWaiters: TxWaiters
  readonly #parts: ChainParts
  readonly #queue = new SerialQueue()
  readonly #events: ChainEvents = { accepted: new Emitter((error) => this.#listenerFailed(error)), decided: new Emitter() }
  #isInterrupted = false
  #isStopped = false
  /** The failure of the store, while it cannot be written. */
  #storeFailure: Invalid | undefined
  #cancelRetry = () => {}

  constructor(options: PrivateChainOptions) {
    this.options = options
    this.#parts = openChainParts(options, {
      events: this.#events,
      callbacks: {
        catchUp: () => this.#onTimer((chain) => chain.catchUp()),
        pack: () => this.#onTimer(packMempool),
        reverify: () => this.#onTimer(dropInvalid),
      },
      isInterrupted: () => this.#isInterrupted,
    })
    this.status = this.#parts.head
    this.clock = this.#parts.clock
    this.treasury = this.#parts.treasury
    const { store, timers } = options
    this.snapshots = new Snapshots(store)
    this.txWaiters = new TxWaiters({ head: this.#parts.head, store, timers, decided: this.#events.decided })
  }

  /**
   * Makes the blocks that became due while no node was running, and funds the accounts of a new chain. After a fault in Serac an existing
   * chain is there all the same, so that it can be read, reverted and reset.
   */
  async start(): Promise<void> {
    const { isNew = this.status.lastAccepted.height === 0n } = this.options
    try {
      await this.turn((chain) => beginChain(chain, { isNew }))
    } catch (error) {
      if (isNew || error instanceof Invalid) throw error
      this.#onTimerFailure(error)
    }
  }

  /** The reason why the chain cannot make its next block; `undefined` while it can. It tries again, with pauses up to five minutes. */
  get halted(): string | undefined {
    return this.#parts.halt.reason
  }

  /** Sets the timers again after the machine's clock was set. Work that has become due runs at once. */
  clockWasSet(): void {
    if (!this.#isStopped && !this.#storeFailure) this.#parts.schedule.reschedule()
  }

  /** Ends long work at its next pause with `producer.stopped`, and calls that wait for a transaction, because the node is about to stop. */
  interrupt(): void {
    this.#isInterrupted = true
    this.txWaiters.release()
  }

  /** Finishes the present turn and makes no further blocks. Waiting transactions are lost. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.interrupt()
    this.#parts.schedule.stop()
    this.#cancelRetry()
    await this.#queue.run(() => {})
    // After a failure of the store nothing unwritten is left, and a chain that never began has nothing to write.
    if (!this.#storeFailure && (await this.#hasBegun())) await this.turn(() => {})
    this.#parts.waiters.refuse(producerError("producer.stopped"))
  }

  async #hasBegun(): Promise<boolean> {
    try {
      await this.options.proofs
      return true
    } catch {
      return false
    }
  }

  /** Returns the clock of the chain, Unix seconds. */
  now(): bigint {
    return this.clock.now()
  }

  /** Returns the keys of the accounts (`--accounts`). They are derived once. */
  accountKeys(): readonly SigningKey[] {
    return this.#parts.accountKeys()
  }

  get blockMode(): BlockMode {
    return this.#parts.schedule.mode
  }

  /**
   * Returns the status of a transaction that a snapshot of the store does not have. It is processing from the time at which it waits in the
   * mempool until its block is in the snapshot: the block may be accepted and not written yet, or written after the snapshot was taken.
   */
  txStatus(txID: ID): { readonly status: "Processing" } | { readonly status: "Dropped"; readonly reason: string } | undefined {
    const { pool, view } = this.status
    if (pool.has(txID) || view.get(tables.txs, txID)) return { status: "Processing" }
    const drop = this.status.pool.dropOf(txID)
    return drop && { status: "Dropped", reason: drop.reason }
  }

  /**
   * Calls the listener after every change of the state; returns the function that removes it. The listener may begin a turn, because it does
   * not run in the context of the turn that changed the state.
   */
  onAccepted(listener: (event: AcceptedEvent) => void): () => void {
    return this.#events.accepted.listen(AsyncResource.bind(listener))
  }

  /**
   * Issues a transaction. Resolves when its block is accepted, or at once if it has to wait for gas, an interval or `dev.mine`. Throws
   * `Invalid`.
   */
  async issueTx(tx: Tx, pace: ChargedPace = neverPausing): Promise<void> {
    const { head, schedule, waiters } = this.#parts
    this.#requireRunning()
    await head.admit(tx, pace)
    this.#requireRunning()
    if (this.blockMode.mode !== "auto") {
      schedule.reschedule()
      return
    }
    const done = waiters.wait(tx.id)
    schedule.packSoon()
    // An issuer pays for its share of making the block.
    pace.charge(await pace.wait(done))
  }

  #requireRunning(): void {
    if (this.#isStopped) throw producerError("producer.stopped")
  }

  /**
   * Writes rows beside the chain, such as those of hosted chains, after the blocks accepted so far, and what they do to the chain in the same
   * commit. No turn is needed. Throws `store.*`.
   */
  commitBeside(edits: Edits, overrides: readonly Override[] = []): void {
    const { head } = this.#parts
    if (overrides.length > 0) head.applyOverrides(overrides, edits)
    else {
      head.flush()
      head.commit(edits)
    }
  }

  /**
   * Runs a task alone on the chain, and passes it the only object that can change the chain. The end of the turn writes the changes of the
   * task, also if the task was refused with `Invalid`. If the store fails, or after a fault in Serac, everything that is not written is
   * forgotten: blocks, the clock, the block mode. A task that begins another turn and waits for it would wait for ever, so this throws.
   */
  turn<T>(task: (chain: ChainTurn) => T | Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      await this.options.proofs
      const before = { now: this.now(), clock: this.clock.state, mode: this.blockMode }
      const chain = new ChainTurn(this.#parts)
      try {
        return await chain.run(task)
      } catch (error) {
        if (isStoreFailure(error)) this.#returnToStore(error, before)
        else if (isFinalFailure(error)) this.#storeFailure = error
        else if (!(error instanceof Invalid)) this.#forgetUnwritten(error, before)
        throw error
      }
    })
  }

  #returnToStore(error: Invalid, before: BeforeTurn): void {
    this.#forgetUnwritten(error, before)
    this.#retryLater(error)
  }

  #forgetUnwritten(error: unknown, before: BeforeTurn): void {
    const { head, clock, renewal, schedule, waiters } = this.#parts
    head.reopen()
    renewal?.forget()
    clock.restore(before.clock)
    // Some blocks may have been written, and the clock must never be before the chain's time.
    clock.set([clock.now(), before.now, chainTimeOf(head.view)].reduce(max), clock.isFrozen)
    schedule.mode = before.mode
    for (const txID of waiters.refuse(error)) head.pool.remove(txID)
    // The store may have been reopened, which ends the snapshots of readers.
    head.emit({ kind: "override" })
  }

  /** Tries to write every second until it succeeds. There may be no calls meanwhile, but stakers change with time. */
  #retryLater(error: Invalid): void {
    const { schedule, log } = this.#parts
    schedule.cancel()
    if (this.#storeFailure?.code !== error.code)
      log.error("the store cannot be written", { code: error.code, reason: error.message })
    this.#storeFailure = error
    if (isFinalFailure(error) || this.#isStopped) return
    this.#cancelRetry()
    this.#cancelRetry = this.options.timers.after(RETRY_MILLISECONDS, () => {
      if (!this.#isStopped) this.#resume().catch((again) => this.#onTimerFailure(again))
    })
  }

  /** Writes the clock in an empty turn. If that succeeds, the chain continues. */
  async #resume(): Promise<void> {
    await this.turn(() => {})
    this.#parts.log.info("the store is written again", { height: this.status.lastAccepted.height })
    this.#storeFailure = undefined
    await this.turn((chain) => (chain.blockMode.mode === "auto" ? packMempool(chain) : chain.catchUp()))
  }

  #onTimer(task: (chain: ChainTurn) => void | Promise<void>): void {
    if (this.#isStopped) return
    this.turn(task).catch((error) => this.#onTimerFailure(error))
  }

  /** What the chain refused, and a failure of the store, are tried again already. Anything else in a timer is a fault in Serac. */
  #onTimerFailure(error: unknown): void {
    if (isStoreFailure(error) || this.#isStopped) return
    const { waiters, halt, schedule } = this.#parts
    waiters.refuse(error)
    if (error instanceof Invalid && !isFinalFailure(error)) return
    this.options.reportFault?.(error, "timer of the private chain")
    if (isFinalFailure(error)) return
    halt.failed(error)
    schedule.reschedule()
  }

  #listenerFailed(error: unknown): void {
    if (!this.options.reportFault) throw error
    this.options.reportFault(error, "report of a change of the chain")
  }
}

/** What a turn may have changed beside the chain. */
interface BeforeTurn {
  /** The clock's time, Unix seconds. */
  readonly now: bigint
  readonly clock: ClockState
  readonly mode: BlockMode
}
