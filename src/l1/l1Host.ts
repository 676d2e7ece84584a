import { Invalid } from "../core/lib/invalid.js"
import { Turnstile } from "../core/lib/turnstile.js"
import type { ID } from "../core/types/id.js"
import type { Feed } from "../jsonrpc/events/feed.js"
import type { Check } from "../jsonrpc/health/monitor.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { NodeApi } from "../node/api.js"
import type { L1Routes, NodeL1s } from "../node/source.js"
import { systemTimers } from "../node/timers.js"
import type { DevIdentity } from "../producer/keys/identities.js"
import type { CreatedChain, FundedKey, HostedL1, PreparedVM, RelayedMessage, VMRequest } from "../producer/l1Hosting.js"
import type { HostedChainFacts, HostedVMs } from "../services/context.js"
import { vmError } from "../vmhost/errors.js"
import type { HostedL1s, HostedParts, L1HostOptions } from "./l1Parts.js"
import { L1Preparation } from "./l1Preparation.js"
import { emptyFolder, hasOwnData } from "./l1Record.js"
import { addL1Routes } from "./l1Routes.js"
import { L1Set } from "./l1Set.js"
import { hostedChainFacts, l1Check, l1Report, registerL1Metrics, vmMetrics } from "./l1Status.js"
import { Relayer } from "./relay/relayer.js"

/** The time after which nobody waits for L1s that start, milliseconds. A VM may hang. */
const STARTED_MILLISECONDS = 10_000

/** The L1s whose VMs run in this node. */
export class L1Host implements NodeL1s, HostedVMs, HostedL1s {
  readonly #options: L1HostOptions
  createStarted = async (): Promise<void> => {}
  /** Resolves when each L1 that was started last with the node, or after a revert, runs or has failed, and after ten seconds at the latest. */
  started: Promise<unknown> = Promise.resolve()
  readonly #l1s: L1Set
  readonly #preparation: L1Preparation
  readonly #relayer: Relayer
  /** Operations that add, remove, start, stop or revert L1s run one at a time. */
  readonly #turns = new Turnstile(1, Number.POSITIVE_INFINITY)

  /** Throws `vm.bad_plugin_dir`. */
  constructor(options: L1HostOptions) {
    this.#options = options
    this.#l1s = new L1Set(options, (chainID) => this.#relayer.wake(chainID))
    this.#preparation = new L1Preparation(options)
    this.#relayer = new Relayer(this, options)
  }

  get validator(): DevIdentity {
    return this.#options.identity
  }

  get hosted(): readonly HostedParts[] {
    return this.#l1s.hosted
  }

  vmIDs(): readonly ID[] {
    return this.#preparation.vmIDs()
  }

  chains(): readonly HostedChainFacts[] {
    return this.hosted.map(hostedChainFacts)
  }

  onChange(listener: () => void): void {
    this.#l1s.onChange(listener)
  }

  addRoutes(routes: L1Routes, nodeApi: NodeApi): void {
    addL1Routes(routes, this, nodeApi)
  }

  metricsText(): Promise<string> {
    return vmMetrics(this)
  }

  get check(): Check {
    return l1Check(this)
  }

  registerMetrics(metrics: Registry): void {
    registerL1Metrics(metrics, this)
  }

  /** Continues the L1s of earlier runs, and does not wait for them. Data of chains that no longer exist on the P-Chain is removed. */
  open(): void {
    this.#l1s.update()
    this.#startAll()
  }

  async create<T extends CreatedChain>(wanted: VMRequest, build: (prepared: PreparedVM) => Promise<T>) {
    // A plugin may hang while it is tried, so this is no turn.
    await this.#preparation.tryOut(wanted, this.hosted)
    const { created, parts, started } = await this.#turns.run(async () => {
      const prepared = await this.#preparation.prepare(wanted, this.hosted)
      const { name, vmID, config, upgrades } = prepared
      const created = await build(prepared)
      const { subnetID, chainID } = created
      const parts = this.#l1s.add({ name, subnetID, chainID, vmID, config, upgrades, isStopped: false })
      return { created, parts, started: parts.chain.start() }
    })
    await started.catch((error) => {
      const isKept = error instanceof Invalid && this.#l1s.get(created.chainID) !== undefined
      throw isKept ? error.withData({ remedy: remedyOf(parts.record.name) }) : error
    })
    return { ...created, l1: this.#report(parts) }
  }

  list(): readonly HostedL1[] {
    return this.hosted.map((each) => this.#report(each))
  }

  blockModeWasSet(): void {
    for (const { chain } of this.hosted) chain.modeWasSet()
  }

  async mine(name: string, count: number) {
    const { chain } = this.#l1s.require(name)
    const mined = await chain.mine(count)
    return { height: chain.report().height ?? 0n, ...mined }
  }

  async requireSigned(chainID: ID, message: Uint8Array, justification: Uint8Array): Promise<boolean> {
    const parts = this.#l1s.get(chainID)
    await parts?.chain.requireSigned(message, justification)
    return parts !== undefined
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

  relayFeed(): Feed {
    return this.#relayer.feed()
  }

  fundedKeys(l1: HostedParts): readonly FundedKey[] {
    return this.#report(l1).keys
  }

  async start(name: string): Promise<HostedL1> {
    const { parts, started } = await this.#turns.run(() => {
      const marked = this.#l1s.mark(name, false)
      return { parts: marked, started: marked.chain.start() }
    })
    await started
    return this.#report(parts)
  }

  stop(name: string): Promise<HostedL1> {
    return this.#turns.run(async () => {
      const parts = this.#l1s.mark(name, true)
      await parts.chain.stop()
      return this.#report(parts)
    })
  }

  remove(name: string): Promise<HostedL1> {
    return this.#turns.run(async () => {
      const parts = this.#l1s.require(name)
      await parts.chain.kill("it was removed")
      const last = this.#report(parts)
      this.#l1s.remove(parts)
      return last
    })
  }

  snapshot<T extends { readonly id: number }>(take: () => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      for (const { record, dataDir } of this.hosted) if (hasOwnData(dataDir)) throw vmError("vm.own_data", { l1: record.name })
      const taken = await this.#holding(take)
      this.#l1s.room.taken(taken.id, this.#options.privateChain.options.store.snapshots)
      return taken
    })
  }

  revert<T>(id: number, revert: () => Promise<T>): Promise<T> {
    const { room } = this.#l1s
    return this.#replacing(() => {
      if (room.isLost(id)) throw vmError("vm.snapshot_lost", { id })
      return this.#exchanging(revert, () => room.returnedTo(id))
    })
  }

  replaceChain<T>(replace: () => Promise<T>): Promise<T> {
    return this.#replacing(() =>
      this.#exchanging(replace, () => {
        this.#l1s.room.clear()
        // The database of each chain is empty now, so the files of its VM must be gone, too.
        for (const { dataDir } of this.hosted) emptyFolder(dataDir)
      }),
    )
  }

  /** Exchanges all chains for others with `exchange`, while no VM writes. The VMs of before end, and those of the other chains begin. */
  async #exchanging<T>(exchange: () => Promise<T>, done: () => void): Promise<T> {
    const { hosted } = this
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
    this.#l1s.update()
    this.#startAll()
    return result
  }

  changeSets<T>(change: () => Promise<T>): Promise<T> {
    return this.#replacing(async () => {
      const result = await change()
      await Promise.all(this.hosted.map(({ chain }) => chain.stop("the keys of validators were changed")))
      this.#startAll()
      return result
    })
  }

  /** Ends all plugins. Their data stays. */
  close(): Promise<void> {
    this.#preparation.close()
    return this.#turns.run(() => this.#l1s.close())
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
    const releases = await Promise.all(this.hosted.map(({ chain }) => chain.hold()))
    try {
      return await task()
    } finally {
      for (const release of releases) release()
    }
  }

  /** Ends all VMs. After a revert they have validator sets of a past that is gone. */
  #killAll(): Promise<unknown> {
    return Promise.all(this.hosted.map(({ chain }) => chain.kill("the private chain was reverted")))
  }

  /** Starts all chains that are to run. Each of them logs and repeats a start that fails. */
  #startAll(): void {
    const due = this.hosted.filter(({ record }) => !record.isStopped)
    const tried = Promise.all(due.map(({ chain }) => chain.start().catch(() => {})))
    this.started = new Promise((resolve) => {
      const cancel = systemTimers.after(STARTED_MILLISECONDS, () => resolve(undefined))
      void tried.then(() => {
        cancel()
        resolve(undefined)
      })
    })
  }

  #report(parts: HostedParts): HostedL1 {
    return l1Report(parts, () => this.#preparation.fundedKeys())
  }
}

/** What can be done about an L1 that was created and did not start. */
const remedyOf = (name: string): string =>
  `the L1 was created, and its start is tried again: serac l1 show ${name} says how it is, and serac l1 remove ${name} removes it`
