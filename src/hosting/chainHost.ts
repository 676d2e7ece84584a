import { Invalid } from "../core/lib/invalid.js"
import { Turnstile } from "../core/lib/turnstile.js"
import type { ID } from "../core/types/id.js"
import { systemTimers } from "../node/timers.js"
import type {
  ChainHosting,
  ClockFollowers,
  CreatedChain,
  FundedKey,
  HostedL1,
  MoveStop,
  PreparedVM,
  RelayedMessage,
  VMRequest,
} from "../producer/chainHosting.js"
import type { DevIdentity } from "../producer/keys/identities.js"
import type { Relayer } from "../relay/relayer.js"
import { vmError } from "../vmhost/errors.js"
import { CChain } from "./cChain.js"
import { emptyFolder, hasOwnData } from "./chainRecord.js"
import { EvmChains } from "./evm/evmChain.js"
import { type ChainHostOptions, type HostedChain, holdAll, tellOnline } from "./hostedChain.js"
import type { HostedChains } from "./hostedChains.js"
import { hostedReport } from "./hostedStatus.js"
import { moveTogether } from "./moving.js"
import type { Preparation } from "./preparation.js"

/** The time after which nobody waits for L1s that start, milliseconds. A VM may hang. */
const STARTED_MILLISECONDS = 10_000

/** The parts that a host directs. */
interface HostParts {
  readonly chains: HostedChains
  readonly preparation: Preparation
  readonly relayer: Relayer
}

/** Adds, removes, starts, stops and reverts the chains that this node hosts. */
export class ChainHost implements ChainHosting {
  readonly #options: ChainHostOptions
  createStarted = async (): Promise<void> => {}
  /** Resolves when each chain that was started last with the node, or after a revert, runs or has failed, and after ten seconds at the latest. */
  started: Promise<unknown> = Promise.resolve()
  readonly #chains: HostedChains
  readonly #preparation: Preparation
  readonly #relayer: Relayer
  /** Operations run one at a time. */
  readonly #turns = new Turnstile(1, Number.POSITIVE_INFINITY)
  readonly #cChain: CChain
  readonly evmChains: EvmChains

  constructor(options: ChainHostOptions, { chains, preparation, relayer }: HostParts) {
    this.#options = options
    this.#chains = chains
    this.#preparation = preparation
    this.#relayer = relayer
    this.#cChain = new CChain(options, chains, preparation)
    const blockMode = () => options.privateChain.blockMode
    this.evmChains = new EvmChains({ blockMode, keysOf: (hosted) => this.#keysOf(hosted) })
  }

  get validator(): DevIdentity {
    return this.#options.identity
  }

  get #hosted(): readonly HostedChain[] {
    return this.#chains.hosted
  }

  /** Continues the L1s of earlier runs, and does not wait for them. Data of chains that no longer exist on the P-Chain is removed. */
  open(): void {
    this.#chains.update()
    this.#cChain.add()
    this.#startAll({ awaitsCChain: false })
  }

  /** Starts the C-Chain, unless it runs, and waits until the accounts of the private chain are paid there. Throws `vm.*`. */
  async startCChain(): Promise<HostedL1> {
    return this.#report(await this.#cChain.start())
  }

  /** The C-Chain; `undefined` if the node does not host it. */
  get cChain(): HostedL1 | undefined {
    return this.#cChain.hosted && this.#report(this.#cChain.hosted)
  }

  /** Called after each block of a chain, and when it runs after a start. */
  accepted(chainID: ID): void {
    this.#relayer.wake(chainID)
    const hosted = this.#chains.get(chainID)
    if (!hosted) return
    if (hosted.isCChain) this.#cChain.accepted(hosted)
    this.evmChains.of(hosted)?.accepted()
    void tellOnline(hosted, this.#options)
  }

  async create<T extends CreatedChain>(wanted: VMRequest, build: (prepared: PreparedVM) => Promise<T>) {
    // A plugin may hang while it is tried, so this is no turn.
    await this.#preparation.tryOut(wanted, this.#hosted)
    const { created, hosted, started } = await this.#turns.run(async () => {
      const prepared = await this.#preparation.prepare(wanted, this.#hosted)
      const { name, vmID, config, upgrades } = prepared
      const created = await build(prepared)
      const { subnetID, chainID } = created
      const hosted = this.#chains.add({ name, subnetID, chainID, vmID, config, upgrades, rules: "", isStopped: false })
      return { created, hosted, started: hosted.plugin.start() }
    })
    await started.catch((error) => {
      const isKept = error instanceof Invalid && this.#chains.get(created.chainID) !== undefined
      throw isKept ? error.withData({ remedy: remedyOf(hosted.record.name) }) : error
    })
    return { ...created, l1: this.#report(hosted) }
  }

  list(): readonly HostedL1[] {
    const l1s = this.#hosted.filter(({ isCChain }) => !isCChain).map((each) => this.#report(each))
    // The store gives them in the order of their IDs after a restart.
    return l1s.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async uptimesWereSet(): Promise<void> {
    await Promise.all(this.#hosted.map((hosted) => tellOnline(hosted, this.#options)))
  }

  blockModeWasSet(): void {
    for (const { plugin } of this.#hosted) plugin.lookAgain()
  }

  moveClock<T>(move: (stop?: MoveStop) => Promise<T>, makesBlocks: boolean): Promise<T & ClockFollowers> {
    return this.#turns.run(() => moveTogether(this.#hosted, move, this.#options, makesBlocks ? this.evmChains : undefined))
  }

  async mine(name: string, count: number) {
    const { plugin } = this.#chains.require(name)
    const mined = await plugin.mine(count)
    return { height: plugin.report().height ?? 0n, ...mined }
  }

  async requireSigned(chainID: ID, message: Uint8Array, justification: Uint8Array): Promise<boolean> {
    const hosted = this.#chains.get(chainID)
    await hosted?.plugin.requireSigned(message, justification)
    return hosted !== undefined
  }

  get relayed(): readonly RelayedMessage[] {
    return this.#relayer.messages
  }

  async relay(): Promise<void> {
    // An operation such as a revert may be replacing the chains.
    await this.#turns.run(() => {})
    await this.started
    await this.#relayer.relay()
  }

  async start(name: string): Promise<HostedL1> {
    const { hosted, started } = await this.#turns.run(() => {
      const marked = this.#chains.mark(name, false)
      return { hosted: marked, started: marked.plugin.start() }
    })
    await started
    return this.#report(hosted)
  }

  stop(name: string): Promise<HostedL1> {
    return this.#turns.run(async () => {
      const hosted = this.#chains.mark(name, true)
      await hosted.plugin.stop("a call of dev.stopL1 ended it")
      return this.#report(hosted)
    })
  }

  remove(name: string): Promise<HostedL1> {
    return this.#turns.run(async () => {
      const hosted = this.#chains.require(name)
      await hosted.plugin.kill("it was removed")
      const last = this.#report(hosted)
      this.#chains.remove(hosted)
      return last
    })
  }

  snapshot<T extends { readonly id: number }>(take: () => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      for (const { record, dataDir } of this.#hosted) if (hasOwnData(dataDir)) throw vmError("vm.own_data", { l1: record.name })
      const taken = await this.#holding(take)
      this.#chains.room.taken(taken.id, this.#options.privateChain.options.store.snapshots)
      return taken
    })
  }

  revert<T>(id: number, revert: () => Promise<T>): Promise<T> {
    const { room } = this.#chains
    return this.#replacing(() => {
      if (room.isLost(id)) throw vmError("vm.snapshot_lost", { id })
      return this.#exchanging(revert, () => room.returnedTo(id))
    })
  }

  replaceChain<T>(replace: () => Promise<T>): Promise<T> {
    return this.#replacing(() =>
      this.#exchanging(replace, () => {
        this.#chains.room.clear()
        // The database of each chain is empty now, so the files of its VM must be gone, too.
        for (const { dataDir } of this.#hosted) emptyFolder(dataDir)
      }),
    )
  }

  /** Exchanges all chains for others with `exchange`, while no VM writes. The VMs of before end, and those of the other chains begin. */
  async #exchanging<T>(exchange: () => Promise<T>, done: () => void): Promise<T> {
    const hosted = this.#hosted
    const result = await this.#holding(async () => {
      for (const { database } of hosted) database.isLocked = true
      try {
        const exchanged = await exchange()
        await this.#killAll()
        return exchanged
      } finally {
        for (const { database } of hosted) database.isLocked = false
      }
    })
    done()
    this.#chains.update()
    this.#cChain.add()
    this.#startAll()
    return result
  }

  changeSets<T>(change: () => Promise<T>): Promise<T> {
    return this.#replacing(async () => {
      const result = await change()
      await Promise.all(this.#hosted.map(({ plugin }) => plugin.stop("the keys of validators were changed")))
      this.#startAll()
      return result
    })
  }

  /** Ends all plugins. Their data stays. */
  close(): Promise<void> {
    this.#preparation.close()
    return this.#turns.run(() => this.#chains.close())
  }

  /** Runs a task that replaces the chains, and waits for their new starts. No message is relayed meanwhile. */
  async #replacing<T>(task: () => Promise<T>): Promise<T> {
    const result = await this.#turns.run(async () => {
      this.#relayer.pause()
      try {
        return await task()
      } finally {
        this.#relayer.resume()
      }
    })
    await this.started
    return result
  }

  /** Keeps all chains between two blocks during a task. */
  async #holding<T>(task: () => Promise<T>): Promise<T> {
    const release = await holdAll(this.#hosted)
    try {
      return await task()
    } finally {
      release()
    }
  }

  /** Ends all VMs. After a revert they have validator sets of a past that is gone. */
  #killAll(): Promise<unknown> {
    return Promise.all(this.#hosted.map(({ plugin }) => plugin.kill("the private chain was reverted")))
  }

  /** Starts all chains that are to run. Each of them logs and repeats a start that fails. */
  #startAll({ awaitsCChain }: { readonly awaitsCChain: boolean } = { awaitsCChain: true }): void {
    const due = this.#hosted.filter((each) => !each.record.isStopped && !(this.#cChain.isOff && each.isCChain))
    const starts = due.map((each) => ({ each, start: each.plugin.start().catch(() => {}) }))
    const tried = Promise.all(starts.map(({ each, start }) => (each.isCChain && !awaitsCChain ? undefined : start)))
    this.started = new Promise((resolve) => {
      const cancel = systemTimers.after(STARTED_MILLISECONDS, () => resolve(undefined))
      void tried.then(() => {
        cancel()
        resolve(undefined)
      })
    })
  }

  #report(hosted: HostedChain): HostedL1 {
    return hostedReport(hosted, this.#keysOf(hosted))
  }

  /** Returns the publicly known keys that own funds on a chain. */
  #keysOf({ isCChain, genesis }: HostedChain): readonly FundedKey[] {
    return (isCChain ? this.#cChain.keys() : undefined) ?? this.#preparation.fundedKeys(genesis)
  }
}

/** What can be done about an L1 that was created and did not start. */
const remedyOf = (name: string): string =>
  `the L1 was created, and its start is tried again: serac l1 show ${name} says how it is, and serac l1 remove ${name} removes it`
