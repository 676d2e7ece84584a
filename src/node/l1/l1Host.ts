import { rmSync } from "node:fs"
import { Emitter } from "../../core/lib/emitter.js"
import { Turnstile } from "../../core/lib/turnstile.js"
import { tables } from "../../core/state/tables.js"
import { type ID, idText } from "../../core/types/id.js"
import type { Check } from "../../jsonrpc/health/monitor.js"
import type { Registry } from "../../jsonrpc/metrics/registry.js"
import type { DevIdentity } from "../../producer/keys/identities.js"
import type { CreatedChain, HostedL1, L1Hosting, PreparedVM, VMRequest } from "../../producer/l1Hosting.js"
import type { HostedChainFacts, HostedVMs } from "../../services/context.js"
import type { MetaChanges } from "../../store/meta.js"
import { vmError } from "../../vmhost/errors.js"
import type { NodeApi } from "../api.js"
import { L1Moments } from "./l1Moments.js"
import { type HostedL1s, type HostedParts, type L1HostOptions, openParts } from "./l1Parts.js"
import { L1Preparation } from "./l1Preparation.js"
import { type L1Record, readRecords, removeL1Data, removeRecord, writeRecord } from "./l1Record.js"
import { addL1Routes, type L1Routes } from "./l1Routes.js"
import { l1Check, l1Report, registerL1Metrics, vmMetrics } from "./l1Status.js"

/** The L1s whose VMs run in this node. */
export class L1Host implements L1Hosting, HostedVMs, HostedL1s {
  readonly #options: L1HostOptions
  createStarted = async (): Promise<void> => {}
  readonly #hosted = new Map<ID, HostedParts>()
  readonly #preparation: L1Preparation
  readonly #changes = new Emitter<void>()
  readonly #moments = new L1Moments()
  /** Operations that add, remove, start, stop or revert L1s run one at a time. */
  readonly #turns = new Turnstile(1, Number.POSITIVE_INFINITY)

  /** Throws `vm.bad_plugin_dir`. */
  constructor(options: L1HostOptions) {
    this.#options = options
    this.#preparation = new L1Preparation(options)
  }

  get validator(): DevIdentity {
    return this.#options.identity
  }

  /** The L1s, by chain. */
  get hosted(): readonly HostedParts[] {
    return [...this.#hosted.values()]
  }

  /** The VMs of the plugin directory. */
  vmIDs(): readonly ID[] {
    return this.#preparation.vmIDs()
  }

  chains(): readonly HostedChainFacts[] {
    return this.hosted.map(({ record: { chainID, subnetID, name, vmID }, chain }) => {
      const { state, version } = chain.report()
      const namedHeight = chain.namedHeight()
      return { chainID, subnetID, name, vmID, isRunning: state === "running", version, namedHeight }
    })
  }

  /** Calls back when an L1 is added or removed. */
  onChange(listener: () => void): void {
    this.#changes.listen(listener)
  }

  /** Adds the routes of all L1s to a server. */
  addRoutes(routes: L1Routes, nodeApi: NodeApi): void {
    addL1Routes(routes, this, nodeApi)
  }

  /** Returns the metrics of all VMs that run, as text. */
  metricsText(): Promise<string> {
    return vmMetrics(this)
  }

  /** The health of the L1s. */
  get check(): Check {
    return l1Check(this)
  }

  /** Adds the metrics of the host. */
  registerMetrics(metrics: Registry): void {
    registerL1Metrics(metrics, this)
  }

  /** Continues the L1s of earlier runs. Data of chains that no longer exist on the P-Chain is removed. */
  async open(): Promise<void> {
    const { folder, log } = this.#options
    for (const record of folder === undefined ? [] : readRecords(folder)) {
      if (!this.#exists(record.chainID)) {
        log.info("the data of an L1 that the P-Chain does not have is removed", { l1: record.name })
        removeL1Data(folder as string, record.chainID)
      } else this.#add(record)
    }
    await this.#startAll()
  }

  create<T extends CreatedChain>(wanted: VMRequest, build: (prepared: PreparedVM) => Promise<T>) {
    return this.#turns.run(async () => {
      const prepared = await this.#preparation.prepare(wanted, this.hosted)
      const created = await build(prepared)
      return { ...created, l1: await this.#host(created, prepared) }
    })
  }

  async #host({ subnetID, chainID }: CreatedChain, { name, vmID, config, upgrades }: PreparedVM): Promise<HostedL1> {
    const record = { name, subnetID, chainID, vmID, config, upgrades, isStopped: false }
    // A chain ID comes again if the same transactions follow a reset.
    if (this.#options.folder !== undefined) removeL1Data(this.#options.folder, chainID)
    this.#write(record)
    const parts = this.#add(record)
    await parts.chain.start()
    return this.#report(parts)
  }

  list(): readonly HostedL1[] {
    return this.hosted.map((each) => this.#report(each))
  }

  blockModeWasSet(): void {
    for (const { chain } of this.hosted) chain.modeWasSet()
  }

  async mine(name: string, count: number): Promise<{ readonly height: bigint; readonly blocks: number }> {
    const { chain } = this.#require(name)
    const blocks = await chain.mine(count)
    return { height: chain.report().height ?? 0n, blocks }
  }

  async requireSigned(chainID: ID, message: Uint8Array, justification: Uint8Array): Promise<boolean> {
    const parts = this.#hosted.get(chainID)
    await parts?.chain.requireSigned(message, justification)
    return parts !== undefined
  }

  start(name: string): Promise<HostedL1> {
    return this.#turns.run(async () => {
      const parts = this.#mark(name, false)
      await parts.chain.start()
      return this.#report(parts)
    })
  }

  stop(name: string): Promise<HostedL1> {
    return this.#turns.run(async () => {
      const parts = this.#mark(name, true)
      await parts.chain.stop()
      return this.#report(parts)
    })
  }

  remove(name: string): Promise<HostedL1> {
    return this.#turns.run(async () => {
      const parts = this.#require(name)
      await parts.chain.stop("it was removed")
      const last = this.#report(parts)
      await this.#replace(this.hosted.filter((each) => each !== parts))
      return last
    })
  }

  snapshot<T extends { readonly id: number }>(take: () => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      const taken = await this.#holding(() => this.#moments.take(this.hosted, take))
      // The oldest snapshots end when there are too many.
      if (this.#moments.count > this.#snapshots.length) await this.#replace(this.hosted)
      return taken
    })
  }

  revert<T>(id: number, revert: (meta: MetaChanges) => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      const { result, l1s } = await this.#holding(() => this.#moments.revert(id, revert, () => this.#killAll()))
      await this.#replace(l1s)
      await this.#startAll()
      return result
    })
  }

  replaceChain<T>(replace: () => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      const result = await this.#holding(async () => {
        const replaced = await replace()
        await this.#killAll()
        return replaced
      })
      await this.#replace(this.hosted.filter(({ record }) => this.#exists(record.chainID)))
      await this.#startAll()
      return result
    })
  }

  /** Ends all plugins. Their data stays. */
  close(): Promise<void> {
    return this.#turns.run(async () => {
      await this.#replace(this.hosted, [])
      await Promise.all(
        this.hosted.map(async ({ chain, database, dataDir }) => {
          await chain.stop("the node is stopping")
          await database.close()
          if (this.#options.folder === undefined) rmSync(dataDir, { recursive: true, force: true })
        }),
      )
      this.#hosted.clear()
    })
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

  /** Replaces the L1s by those of another moment. The data of those that are in no moment any more is deleted. */
  async #replace(l1s: readonly HostedParts[], snapshots = this.#snapshots): Promise<void> {
    const before = [...this.hosted, ...this.#moments.all]
    this.#moments.keepOnly(snapshots)
    for (const { record } of l1s) if (this.#hosted.get(record.chainID)?.record !== record) this.#write(record)
    this.#hosted.clear()
    for (const parts of l1s) this.#hosted.set(parts.record.chainID, parts)
    const kept = new Set([...l1s, ...this.#moments.all].map(({ database }) => database))
    for (const parts of new Map(before.map((each) => [each.database, each])).values()) {
      if (!kept.has(parts.database)) await this.#delete(parts)
      else if (!this.#hosted.has(parts.record.chainID)) this.#unlist(parts)
    }
    this.#changes.emit()
  }

  /** The snapshots of the P-Chain. */
  get #snapshots(): readonly number[] {
    return this.#options.privateChain.options.store.snapshots
  }

  async #startAll(): Promise<void> {
    await Promise.all(this.hosted.map((each) => (each.record.isStopped ? undefined : this.#startOrReport(each))))
  }

  async #startOrReport({ chain, record }: HostedParts): Promise<void> {
    await chain
      .start()
      .catch((error) => this.#options.log.error("an L1 cannot start", { l1: record.name, reason: error.message }))
  }

  #exists(chainID: ID): boolean {
    return this.#options.privateChain.status.view.get(tables.chains, chainID) !== undefined
  }

  #named() {
    return this.hosted.map(({ record }) => record)
  }

  #require(name: string): HostedParts {
    const found = this.hosted.find(({ record }) => record.name === name || idText(record.chainID) === name)
    if (!found) throw vmError("vm.unknown_l1", { name, present: this.#named().map((each) => each.name) })
    return found
  }

  #mark(name: string, isStopped: boolean): HostedParts {
    const parts = this.#require(name)
    const marked = { ...parts, record: { ...parts.record, isStopped } }
    this.#write(marked.record)
    this.#hosted.set(marked.record.chainID, marked)
    return marked
  }

  #write(record: L1Record): void {
    if (this.#options.folder !== undefined) writeRecord(this.#options.folder, record)
  }

  /** Removes the record of an L1 whose data a snapshot may need. */
  #unlist({ record }: HostedParts): void {
    if (this.#options.folder !== undefined) removeRecord(this.#options.folder, record.chainID)
  }

  async #delete({ record, database, dataDir }: HostedParts): Promise<void> {
    const { folder } = this.#options
    await database.close()
    if (folder === undefined) rmSync(dataDir, { recursive: true, force: true })
    else removeL1Data(folder, record.chainID)
  }

  #add(record: L1Record): HostedParts {
    const parts = openParts(record, this.#options, () => this.#named())
    this.#hosted.set(record.chainID, parts)
    this.#changes.emit()
    return parts
  }

  #report(parts: HostedParts): HostedL1 {
    return l1Report(parts, () => this.#preparation.fundedKeys())
  }
}
