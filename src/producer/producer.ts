import type { ChainOptions } from "../chain/chain.js"
import { bls } from "../crypto/backends.js"
import type { Genesis } from "../genesis/genesis.js"
import { type Json, parseJson, printJson } from "../lib/json.js"
import { max } from "../lib/math64.js"
import type { Epoch } from "../rules/epoch.js"
import { chainTimeOf, type Rules } from "../rules/run.js"
import type { AnyTable } from "../state/table.js"
import type { Edits } from "../state/view.js"
import type { MetaChanges } from "../store/meta.js"
import type { Store } from "../store/store.js"
import type { Tx } from "../txs/tx.js"
import type { ID, NodeID } from "../types/id.js"
import { type AccountOptions, accountsOf, DEFAULT_BALANCE } from "./accounts.js"
import { invalidAmong } from "./builder.js"
import { Clock } from "./clock.js"
import { producerError } from "./errors.js"
import { type DevState, type Extension, Head, type HeadEvent } from "./head.js"
import { admit, Issuers } from "./issue.js"
import { type Log, silent, type Timers, type Wall } from "./ports.js"
import { Renewal } from "./renewal.js"
import { type BlockMode, Schedule } from "./schedule.js"
import { settle, type Tally, type Way } from "./travel.js"
import { grantTo, Treasury } from "./treasury.js"
import { Turns } from "./turns.js"

/** What may be chosen when a private chain starts. */
export interface ProducerChoices {
  /** `--block-mode`, `--block-interval`. */
  readonly blockMode?: BlockMode | undefined
  /** `--warp-lag` */
  readonly hasWarpLag?: boolean | undefined
  /** `--no-renew-validators` sets it to false. */
  readonly renewsValidators?: boolean | undefined
  /** `--mempool-max-gas` */
  readonly poolGas?: bigint | undefined
  /** `--start-time`, Unix seconds: what the clock of a new chain shows first. */
  readonly startTime?: bigint | undefined
  /** `--freeze-time` */
  readonly isFrozen?: boolean | undefined
  /** `--accounts`, `--mnemonic`, `--balance` */
  readonly accounts?: AccountOptions | undefined
}

/** What a producer works with. */
export interface ProducerOptions {
  readonly rules: Rules
  readonly genesis: Genesis
  /** Holds the chain: genesis at least. Opened with `producerTables` too. */
  readonly store: Store
  /** Where rows are committed; left out: the store. */
  readonly state?: DevState | undefined
  /** All tables of the store, and those among them that outlive a fresh start; for whoever dumps it. */
  readonly tables: readonly AnyTable[]
  readonly lasting?: readonly AnyTable[] | undefined
  /** Makes the read model's rows anew, after a state was loaded whose rows were made by another version. */
  rebuild?(): void
  /** The rows of genesis with whatever is kept beside them, for a fresh start. */
  genesisEdits(): Edits
  /** See `ChainOptions`. */
  readonly project?: ChainOptions["project"] | undefined
  readonly wall: Wall
  readonly timers: Timers
  readonly log?: Log | undefined
  /** Called with what was our own fault while nobody waited for an answer: the node must stop. */
  onFault?(error: unknown): void
  readonly choices?: ProducerChoices | undefined
}

/** Produces the blocks of a private chain. All work at the chain is done in turns; what others may ask meanwhile, it answers at once. */
export class Producer {
  readonly options: ProducerOptions
  readonly choices: ProducerChoices
  readonly head: Head
  readonly clock: Clock
  readonly schedule: Schedule
  readonly treasury: Treasury
  readonly log: Log
  readonly state: DevState
  readonly turns = new Turns()
  readonly issuers = new Issuers()
  readonly #renewal: Renewal | undefined
  #isStopped = false

  constructor(options: ProducerOptions) {
    const { rules, genesis, store, state = store, wall, timers, log = silent, choices = {}, project } = options
    this.options = options
    this.choices = choices
    this.log = log
    this.state = state
    this.clock = openClock(options)
    const { hasWarpLag = false, poolGas, blockMode = { mode: "auto" } } = choices
    this.head = new Head({ rules, state, clock: this.clock, hasWarpLag, poolGas, project })
    const duties = {
      settle: () => this.#onTimer(() => this.#settleNow()),
      pack: () => this.#onTimer(() => this.pack()),
      repack: () => this.#onTimer(() => this.#repack()),
    }
    this.schedule = new Schedule(this.head, blockMode, { timers, wall, duties })
    this.treasury = new Treasury(this.head, store.latest, genesis)
    this.#renewal = choices.renewsValidators === false ? undefined : new Renewal(this.head, store.latest, genesis, log)
  }

  /** Does what fell due while nobody was here, and funds the accounts of a new chain. */
  start(): Promise<void> {
    return this.turns.take(() => this.begin())
  }

  /** As `start`, in a turn that has been taken. */
  async begin(): Promise<void> {
    this.keepClock()
    if (this.head.chain.lastAccepted.height === 0n) await this.#fundAccounts()
    await this.#settleNow()
    this.schedule.arm()
  }

  /** Finishes the work at hand and makes no further blocks. What waits is not kept. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.schedule.stop()
    await this.turns.take(() => this.head.flush())
    this.issuers.refuse(producerError("producer.stopped"))
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
  async issueTx(tx: Tx): Promise<void> {
    if (this.#isStopped) throw producerError("producer.stopped")
    if (provesPossession(tx)) await bls().preparePossession()
    admit(this.head, tx)
    if (this.schedule.mode.mode !== "auto") {
      this.schedule.arm()
      return
    }
    const done = this.issuers.wait(tx.id)
    this.schedule.call()
    await done
  }

  onAccepted(listener: (event: HeadEvent) => void): () => void {
    return this.head.listen(listener)
  }

  /** Makes blocks of what waits, as many as it takes and gas allows. In a turn. */
  async pack(): Promise<void> {
    await this.#settleNow()
    let extension: Extension
    do extension = this.extend(this.head.pool, this.now())
    while (extension.blocks.length > 0 && extension.shortFor === undefined && this.head.pool.size > 0)
    this.head.flush()
    this.issuers.answer(this.head)
    this.schedule.arm(extension.shortFor)
  }

  /** Makes one block of these, and stakes again whoever left with it. In a turn. */
  extend(candidates: Iterable<Tx>, now: bigint): Extension {
    const extension = this.head.extend(candidates, now)
    if (extension.leaving && this.#renewal?.isDue) this.#renewal.renew(now, extension.leaving)
    return extension
  }

  /** Makes the blocks that fall due up to a time. In a turn. */
  settle(until: bigint, way: Way): Promise<Tally> {
    return settle(until, way, { head: this.head, timers: this.options.timers, log: this.log, renewal: this.#renewal })
  }

  /** The chain is another one from now on: what others waited for will not come. In a turn. */
  reopened(waiting: Iterable<Tx>): void {
    this.head.reopen()
    this.head.replacePool(waiting)
    this.#renewal?.forget()
    this.issuers.refuse(producerError("producer.reverted"))
    this.schedule.arm()
    this.head.tell({ kind: "revert", ...this.head.chain.lastAccepted })
  }

  keepClock(): void {
    this.state.commit(new Map(), { meta: clockMeta(this.clock) })
  }

  get isManual(): boolean {
    return this.schedule.mode.mode === "manual"
  }

  async #settleNow(): Promise<void> {
    await this.settle(this.now(), { movesClock: false, carries: !this.isManual })
    if (this.#renewal?.isDue) this.#renewal.renew(this.now())
    this.head.flush()
    this.schedule.arm()
  }

  #repack(): void {
    for (const { tx, error } of invalidAmong(this.head.pool, this.head.contextAt(this.now()))) this.head.drop(tx, error)
    this.schedule.arm()
  }

  /** Gas comes back with time: where genesis was but now, the clock has to wait for it. */
  async #fundAccounts(): Promise<void> {
    const { accounts } = this.choices
    if (!accounts || accounts.count === 0) return
    const { balance = DEFAULT_BALANCE } = accounts
    const grants = accountsOf(accounts).map(({ address }) => grantTo(address, balance))
    if (!this.treasury.canPay) {
      this.head.bend(this.treasury.conjure(grants).map((utxo) => ({ kind: "utxo", utxo })))
      return
    }
    for (;;) {
      const { packed, dropped, shortFor } = this.extend([this.treasury.pay(grants, this.now())], this.now())
      if (packed.length > 0) break
      if (dropped[0]) throw dropped[0].error
      if (shortFor === undefined || shortFor > 60n)
        throw producerError("producer.too_many_accounts", { accounts: accounts.count })
      this.clock.set(this.now() + shortFor, this.clock.isFrozen)
      this.log.info("clock moved until gas is back", { seconds: shortFor })
    }
    this.head.flush()
    this.keepClock()
  }

  #onTimer(task: () => void | Promise<void>): void {
    if (this.#isStopped) return
    this.turns.take(task).catch((error) => {
      this.issuers.refuse(error)
      this.options.onFault?.(error)
    })
  }
}

/** Whether a transaction comes with a proof of possession, which takes long to check unless the checker is prepared. */
function provesPossession({ unsignedTx: { kind } }: Tx): boolean {
  return ["AddPermissionlessValidatorTx", "ConvertSubnetToL1Tx", "RegisterL1ValidatorTx"].includes(kind)
}

/** Makes a producer; it works once it is started. */
export function createProducer(options: ProducerOptions): Producer {
  return new Producer(options)
}

/** The clock as the store remembers it, or as it was chosen for a new chain. It never shows less than the chain's own time. */
function openClock({ store, wall, choices = {} }: ProducerOptions): Clock {
  const offset = store.getMeta("clockOffset")
  const kept = parseJson(store.getMeta("producer") ?? "{}") as { readonly frozenAt?: string }
  const frozenAt = kept.frozenAt === undefined ? undefined : BigInt(kept.frozenAt)
  const clock = new Clock(wall, { offset: offset ?? 0n, frozenAt })
  if (offset === undefined) startClock(clock, choices)
  const now = clock.now()
  clock.set(max(now, chainTimeOf(store.latest)), choices.isFrozen ?? clock.isFrozen)
  return clock
}

/** Puts a clock to where that of a new chain begins. */
export function startClock(clock: Clock, { startTime, isFrozen = false }: ProducerChoices): void {
  clock.set(startTime ?? clock.wallTime, isFrozen)
}

/** What the store remembers of a clock. */
export function clockMeta(clock: Clock): MetaChanges {
  const { offset, frozenAt } = clock.state
  const kept: Json = frozenAt === undefined ? {} : { frozenAt: frozenAt.toString() }
  return { clockOffset: offset, producer: printJson(kept) }
}
