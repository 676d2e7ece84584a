import { setMaxListeners } from "node:events"
import { setTimeout } from "node:timers/promises"
import { Invalid } from "../../core/lib/invalid.js"
import type { CopyHeader } from "../../core/networks/chainIdentity.js"
import { idText } from "../../core/types/id.js"
import { syncError } from "../errors.js"
import { disagreementError, lowestDisagreement } from "./agreement.js"
import type { BlockSource, ChainItem } from "./blockSource.js"
import type { BlockFollowerOptions, FollowStatus } from "./copyPort.js"
import { graceOf } from "./httpNode.js"
import { inBatches } from "./inBatches.js"
import { type CopyItem, ItemParser } from "./itemParser.js"
import { type FoundNode, openSource } from "./openSource.js"
import { commonBlock, isParted, otherChain, requireAllParted, WentBack } from "./parting.js"
import { LASTING, longestPause, OF_OTHER_CHAIN, OF_SOURCE } from "./problems.js"
import { settledSoon } from "./settledSoon.js"

const BATCH = 256
const AHEAD = 2048
const SUPPLY_CHECK_MS = 10_000
const LOOK_AHEAD_MS = 2_000
const FIRST_PAUSE_MS = 250
/** Attempts without a new block after which a copy with `endsOnProblem` ends: a node that restarts has answered before. */
const MAX_ATTEMPTS = 5

/** Extends a copy of a chain by blocks from other nodes' APIs, as long as these nodes agree. */
export class BlockFollower {
  readonly #options: BlockFollowerOptions
  readonly #abort = new AbortController()
  readonly #parser = new ItemParser()
  #status: FollowStatus = { source: undefined, target: 0n, problem: undefined }
  /** Index of the node that is asked first. It changes after a failure. */
  #preferred = 0
  /** Nodes that gave something that cannot be part of the copy. They are not asked while there are others. */
  readonly #refused = new Set<string>()
  /** The last line of the log about the node that is followed. */
  #logged = ""
  #running: Promise<void> | undefined
  #nextSupplyCheck = 0
  #nextLookAhead = 0

  constructor(options: BlockFollowerOptions) {
    this.#options = options
    // Every pending request listens to this signal.
    setMaxListeners(0, this.#abort.signal)
  }

  get status(): FollowStatus {
    return this.#status
  }

  /** Starts to follow. `onEnd` is called with the problem that ends it (`endsOnProblem`). */
  start(onEnd: (error: unknown) => void): void {
    this.#running = this.#run().catch(onEnd)
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort
    let attempts = 0
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; ) {
      const { height } = this.#options.copy.lastAccepted()
      const error = await this.#follow().catch((error: unknown) => error)
      if (signal.aborted) return
      if (error instanceof WentBack) continue
      const hasMoved = this.#options.copy.lastAccepted().height > height
      attempts = hasMoved || error === undefined ? 1 : attempts + 1
      const problem = error === undefined ? undefined : this.#problemOf(error, attempts)
      pause = hasMoved ? FIRST_PAUSE_MS : Math.min(pause * 2, longestPause(problem))
      if (problem) this.#stopped(problem, pause)
      // A wrong state stays wrong.
      if (problem?.code === "sync.other_supply") return
      // Nodes that were not tried yet are asked soon.
      await setTimeout(this.#refused.size > 0 ? FIRST_PAUSE_MS : pause, undefined, { signal }).catch(() => {})
    }
  }

  /** Returns an error as the problem that the status reports. Throws it if it ends the copy. */
  #problemOf(error: unknown, attempts: number): Invalid {
    const { endsOnProblem, onFault } = this.#options
    const mayPass = error instanceof Invalid && !LASTING.has(error.code) && attempts < MAX_ATTEMPTS
    if (endsOnProblem && !mayPass) throw error
    if (error instanceof Invalid) return error
    onFault(error)
    return syncError("sync.fault", { reason: String(error) })
  }

  /** Records and logs a problem: one that lasts at every attempt, others once. Another node is preferred next time. */
  #stopped(error: Invalid, pause: number): void {
    const { urls, log } = this.#options
    const url = this.#status.source?.url
    const isNew = this.#status.problem?.message !== error.message
    if (isNew || LASTING.has(error.code)) {
      log.warn("the copy waits", { url: url ?? null, reason: error.message, nextAttemptSeconds: pause / 1000 })
    }
    this.#status = { ...this.#status, problem: error }
    this.#preferred++
    if (url !== undefined && OF_SOURCE.has(error.code)) this.#refused.add(url)
    // When every node was tried, all are asked again after a longer pause.
    if (urls.every((each) => this.#refused.has(each))) this.#refused.clear()
  }

  /** Follows one node until something fails. */
  async #follow(): Promise<void> {
    const { copy, log } = this.#options
    const [source, ...others] = await this.#openSources()
    if (!source) return
    const { url, kind } = source
    this.#status = { ...this.#status, source: { url, kind } }
    await this.#requireUnparted(source, others)
    const line = { url, kind, height: Number(copy.lastAccepted().height) }
    if (this.#logged !== JSON.stringify(line)) {
      log.info("following", line)
      const l1s = (await source.l1Count?.(this.#abort.signal)) ?? 0
      if (l1s > 0) log.info("only the P-Chain is copied, without the L1s of the node", { url, l1s })
    }
    this.#logged = JSON.stringify(line)
    const found = source.itemsAfter(copy.lastAccepted(), this.#abort.signal)
    for await (const batch of inBatches(found, BATCH, AHEAD)) {
      for (const item of batch) {
        if (item.kind === "revert") await this.#goBackWith(source, others)
        if (item.kind === "chain") this.#requireChain(item, url)
        if (item.kind === "idle") await this.#requireNotBehind(source)
      }
      const items = this.#parser.parse(batch, copy.lastAccepted().height, source)
      const given = items.flatMap((item) => (item.kind === "block" ? [item.block.inner] : []))
      const disagreement = await lowestDisagreement(others, given, { signal: this.#abort.signal, log })
      const isDisputed = (item: CopyItem) => item.kind === "block" && item.block.height === disagreement?.height
      const agreed = disagreement ? items.slice(0, items.findIndex(isDisputed)) : items
      await this.#lookAhead(source)
      await copy.execute(agreed)
      if (disagreement) throw disagreementError(disagreement, url)
      await this.#requireSameSupply(source)
      this.#caughtUp(source)
    }
  }

  /** Goes back with a node that has gone back. Throws `sync.disagreement` if only some nodes have. */
  async #requireUnparted(source: BlockSource, others: readonly BlockSource[]): Promise<void> {
    const { copy } = this.#options
    if (!copy.mayGoBack) return
    if (await this.#isParted(source)) await this.#goBackWith(source, others)
    for (const other of others) {
      if (!(await this.#isParted(other))) continue
      const { height, id } = copy.lastAccepted()
      throw syncError("sync.disagreement", { height, url: source.url, blockID: idText(id), otherUrl: other.url })
    }
  }

  /** Goes back to the last block that the copy and a node have in common, if no other node still has the last block of the copy. */
  async #goBackWith(source: BlockSource, others: readonly BlockSource[]): Promise<never> {
    const { copy, log } = this.#options
    const { signal } = this.#abort
    const lastAccepted = copy.lastAccepted()
    const problem = syncError("sync.reverted", { url: source.url, height: await source.height(signal) })
    if (!copy.mayGoBack || source.kind !== "stream") throw problem
    this.#requireSameIdentity((await source.chain?.(signal))?.header, source.url)
    await requireAllParted(copy, source, others, signal)
    const common = await commonBlock(copy, source, signal)
    log.info("the chain was reverted", { url: source.url, from: lastAccepted.height, to: common.height })
    this.#status = { ...this.#status, target: common.height, problem }
    copy.goBack(common.height, copy.overrideCount())
    throw new WentBack()
  }

  /** Throws if a node that gives no more blocks is behind the copy of a private chain, or has another last block. */
  async #requireNotBehind(source: BlockSource): Promise<void> {
    const { copy } = this.#options
    if (!copy.mayGoBack) return
    const height = await source.height(this.#abort.signal)
    if (height < copy.lastAccepted().height) throw syncError("sync.reverted", { url: source.url, height })
    await this.#requireSameChain(source)
  }

  /** Reads the height of the node at intervals, so that the lag of a slow copy is up to date. */
  async #lookAhead(source: BlockSource): Promise<void> {
    if (performance.now() < this.#nextLookAhead) return
    await this.#heightOf(source)
    this.#nextLookAhead = performance.now() + LOOK_AHEAD_MS
  }

  /** Reads and records the height of a node. */
  async #heightOf(source: BlockSource, signal = this.#abort.signal): Promise<bigint> {
    const height = await source.height(signal)
    if (height > this.#status.target) this.#status = { ...this.#status, target: height }
    return height
  }

  /**
   * Blocks do not contain the state after them, so the supply is compared at intervals, if the node is at the same block. Rewards by other
   * rules would change it.
   */
  async #requireSameSupply(source: BlockSource): Promise<void> {
    const { copy } = this.#options
    const isNew = copy.lastAccepted().height >= this.#status.target
    if (!isNew || performance.now() < this.#nextSupplyCheck) return
    const { height, supply } = await source.supply(this.#abort.signal)
    if (height !== copy.lastAccepted().height) return
    const own = copy.supply()
    if (own !== supply) throw syncError("sync.other_supply", { url: source.url, height, got: supply, expected: own })
    this.#nextSupplyCheck = performance.now() + SUPPLY_CHECK_MS
  }

  #caughtUp(source: BlockSource): void {
    const { height } = this.#options.copy.lastAccepted()
    const { problem, target } = this.#status
    if (problem) this.#options.log.info("the copy continues", { url: source.url, height: Number(height) })
    this.#status = { ...this.#status, target: target > height ? target : height, problem: undefined }
  }

  /**
   * Returns the nodes that can be followed, the preferred one first. Those that do not answer are left out: once one can be followed, the others
   * have a few seconds. Throws if none can, or if one belongs to another chain.
   */
  async #openSources(): Promise<BlockSource[]> {
    const { urls, http, log } = this.#options
    const turned = urls
      .map((_, i) => urls[(this.#preferred + i) % urls.length] as string)
      .filter((url) => !this.#refused.has(url))
    const opened = await settledSoon(turned, (url, signal) => this.#openNode(url, signal), {
      signal: this.#abort.signal,
      graceMs: graceOf(http),
    })
    const failures = opened.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []))
    const sources = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))
    const wrong = failures.find((each) => each instanceof Invalid && OF_OTHER_CHAIN.has(each.code))
    if (wrong || sources.length === 0) throw wrong ?? failures[0]
    for (const failure of failures) log.warn("a node that is followed does not answer", { reason: (failure as Error).message })
    return sources
  }

  /** Opens a node, and requires that it has the chain of the copy. A private chain may have gone back. */
  async #openNode(url: string, signal: AbortSignal): Promise<BlockSource> {
    const node = await openSource(url, this.#options.http, signal)
    this.#requireSameNetwork(node)
    if (!this.#options.copy.mayGoBack || node.source.kind !== "stream") await this.#requireSameChain(node.source, signal)
    return node.source
  }

  #requireSameNetwork({ networkID, upgradeText, source: { url } }: FoundNode): void {
    const { copy } = this.#options
    if (networkID !== copy.networkID) throw syncError("sync.other_network", { url, expected: copy.networkID, got: networkID })
    if (upgradeText !== undefined && !copy.hasUpgrades(upgradeText)) throw syncError("sync.other_upgrades", { url })
  }

  /** Compares the newest block that both have. */
  async #requireSameChain(source: BlockSource, signal = this.#abort.signal): Promise<void> {
    const { copy } = this.#options
    const { height } = copy.lastAccepted()
    if (!(await this.#isParted(source, signal))) return
    const last = await source.height(signal)
    throw await otherChain(copy, source, last < height ? last : height, signal)
  }

  async #isParted(source: BlockSource, signal = this.#abort.signal): Promise<boolean> {
    return isParted(this.#options.copy, source, await this.#heightOf(source, signal), signal)
  }

  #requireSameIdentity(header: CopyHeader | undefined, url: string): void {
    const { chainID } = this.#options.copy
    if (header && header.id !== chainID)
      throw syncError("sync.other_identity", { url, expected: chainID, got: `${header.kind} ${header.id}` })
  }

  /** Throws if the source has another chain. Goes back if the source has fewer overrides, because it has removed the others. */
  #requireChain({ header, overrides }: Extract<ChainItem, { kind: "chain" }>, url: string): void {
    const { copy } = this.#options
    this.#requireSameIdentity(header, url)
    if (overrides >= BigInt(copy.overrideCount())) return
    copy.goBack(copy.lastAccepted().height, Number(overrides))
    throw new WentBack()
  }
}
