import { setMaxListeners } from "node:events"
import { setTimeout } from "node:timers/promises"
import { decodeBlock } from "../../core/blocks/block.js"
import { bareBlock, type OuterBlock, readOuterBlock } from "../../core/consensus/proposer/outerBlock.js"
import { certificateCache } from "../../core/crypto/certificateCache.js"
import { Invalid, valueOrThrow } from "../../core/lib/invalid.js"
import type { Log } from "../../core/lib/log.js"
import { type ID, idText } from "../../core/types/id.js"
import { parseCertificate } from "../../platform/certificate.js"
import { syncError } from "../errors.js"
import { disagreementError, lowestDisagreement } from "./agreement.js"
import type { BlockSource, ChainItem, GivenBlock, OverrideItem } from "./blockSource.js"
import { graceOf, type HttpNodeOptions } from "./httpNode.js"
import { inBatches } from "./inBatches.js"
import { type FoundNode, openSource } from "./openSource.js"
import { settledSoon } from "./settledSoon.js"

/** A block of a source, decoded. */
export interface BlockItem {
  readonly kind: "block"
  readonly block: OuterBlock
  /** The P-Chain height of its Warp messages, if the source names it. */
  readonly warpHeight: bigint | undefined
}

export type CopyItem = BlockItem | OverrideItem

/** The copy that a follower extends. */
export interface CopyPort {
  readonly networkID: number
  /** The ID of the chain, see `ChainIdentity`. */
  readonly chainID: string
  /** Returns whether the copy has the upgrade times of this upgrade file. */
  hasUpgrades(upgradeText: string): boolean
  /** The last accepted block, by its ID without wrapper. */
  readonly lastAccepted: GivenBlock
  /** Returns the supply of AVAX after the last accepted block. */
  supply(): bigint
  /** Returns the ID of an accepted block, without its wrapper. */
  idAt(height: bigint): ID | undefined
  /** Executes blocks and applies overrides in order, and writes them. Throws `sync.refused` if a block breaks a rule. */
  execute(items: readonly CopyItem[]): Promise<void>
}

export interface BlockFollowerOptions {
  readonly urls: readonly string[]
  readonly http: HttpNodeOptions
  readonly copy: CopyPort
  readonly log: Log
  /** True if a problem that lasts, or `MAX_ATTEMPTS` in a row without a new block, end the copy; by default it is reported and tried again. */
  readonly endsOnProblem?: boolean | undefined
  /** Called with a fault in Serac that stopped the copy. The next attempt begins with what is written. */
  onFault(error: unknown): void
}

export interface FollowStatus {
  /** The node whose blocks are executed, and the way in which they are requested. */
  readonly source: { readonly url: string; readonly kind: BlockSource["kind"] } | undefined
  /** The height of the newest block that a node is known to have. */
  readonly target: bigint
  readonly problem: Invalid | undefined
}

const BATCH = 256
const AHEAD = 2048
const SUPPLY_CHECK_MS = 10_000
const LOOK_AHEAD_MS = 2_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
/** Attempts without a new block after which a copy with `endsOnProblem` ends: a node that restarts has answered before. */
const MAX_ATTEMPTS = 5
/** The longest pause while every node gives something that cannot be part of the copy, milliseconds. */
const LONGEST_REFUSED_PAUSE_MS = 300_000

/** Problems for which the node is to blame whose blocks are executed. Others are asked in its place. */
const OF_SOURCE: ReadonlySet<string> = new Set([
  "sync.bad_block",
  "sync.refused",
  "sync.bad_override",
  "sync.other_override",
  "sync.other_identity",
])

/** Problems of a node that has another chain. A copy does not choose between two chains. */
const OF_OTHER_CHAIN: ReadonlySet<string> = new Set(["sync.other_chain", "sync.other_network", "sync.other_upgrades"])

/** Problems that only an operator can solve, unless another node gives something else. */
const FOR_OPERATOR: ReadonlySet<string> = new Set([...OF_SOURCE, ...OF_OTHER_CHAIN, "sync.other_supply", "sync.reverted"])

/** Problems that another attempt with the same node does not solve. */
const LASTING: ReadonlySet<string> = new Set([...FOR_OPERATOR, "sync.fault"])

/** Returns whether a copy with this problem continues only if its nodes change or an operator acts. */
export const needsOperator = ({ code }: Invalid): boolean => FOR_OPERATOR.has(code)

/** Extends a copy of a chain by blocks from other nodes' APIs, as long as these nodes agree. */
export class BlockFollower {
  readonly #options: BlockFollowerOptions
  readonly #abort = new AbortController()
  readonly #parseCertificate = certificateCache(parseCertificate)
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
      const { height } = this.#options.copy.lastAccepted
      const error = await this.#follow().catch((error: unknown) => error)
      if (signal.aborted) return
      const hasMoved = this.#options.copy.lastAccepted.height > height
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
    const line = { url, kind, height: Number(copy.lastAccepted.height) }
    if (this.#logged !== JSON.stringify(line)) {
      log.info("following", line)
      const l1s = (await source.l1Count?.(this.#abort.signal)) ?? 0
      if (l1s > 0) log.info("only the P-Chain is copied, without the L1s of the node", { url, l1s })
    }
    this.#logged = JSON.stringify(line)
    const found = source.itemsAfter(copy.lastAccepted, this.#abort.signal)
    for await (const batch of inBatches(found, BATCH, AHEAD)) {
      const items = this.#parsed(batch, source)
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
    const isNew = copy.lastAccepted.height >= this.#status.target
    if (!isNew || performance.now() < this.#nextSupplyCheck) return
    const { height, supply } = await source.supply(this.#abort.signal)
    if (height !== copy.lastAccepted.height) return
    const own = copy.supply()
    if (own !== supply) throw syncError("sync.other_supply", { url: source.url, height, got: supply, expected: own })
    this.#nextSupplyCheck = performance.now() + SUPPLY_CHECK_MS
  }

  #caughtUp(source: BlockSource): void {
    const { height } = this.#options.copy.lastAccepted
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

  /** Opens a node, and requires that it has the chain of the copy. */
  async #openNode(url: string, signal: AbortSignal): Promise<BlockSource> {
    const node = await openSource(url, this.#options.http, signal)
    this.#requireSameNetwork(node)
    await this.#requireSameChain(node.source, signal)
    return node.source
  }

  #requireSameNetwork({ networkID, upgradeText, source: { url } }: FoundNode): void {
    const { copy } = this.#options
    if (networkID !== copy.networkID) throw syncError("sync.other_network", { url, expected: copy.networkID, got: networkID })
    if (upgradeText !== undefined && !copy.hasUpgrades(upgradeText)) throw syncError("sync.other_upgrades", { url })
  }

  /** Compares the newest block that both have. */
  async #requireSameChain(source: BlockSource, signal: AbortSignal): Promise<void> {
    const { copy } = this.#options
    const height = await this.#heightOf(source, signal)
    const common = height < copy.lastAccepted.height ? height : copy.lastAccepted.height
    const [own, other] = [copy.idAt(common), await source.blockIDAt(common, signal)]
    if (own === undefined || other === undefined || own === other) return
    throw syncError("sync.other_chain", { url: source.url, height: common, got: idText(other), expected: idText(own) })
  }

  #parsed(batch: readonly ChainItem[], { url, hasWrappers }: BlockSource): CopyItem[] {
    const { chainID, lastAccepted } = this.#options.copy
    let expected = lastAccepted.height + 1n
    return batch.flatMap((item): CopyItem[] => {
      if (item.kind === "chain" && item.header.id !== chainID)
        throw syncError("sync.other_identity", { url, expected: chainID, got: `${item.header.kind} ${item.header.id}` })
      if (item.kind !== "block") return item.kind === "override" ? [item] : []
      const block = this.#parsedBlock(item.bytes, url, hasWrappers)
      if (block.height !== expected)
        throw syncError("sync.bad_answer", { url, reason: `block ${block.height} came in place of ${expected}` })
      expected++
      return [{ kind: "block", block, warpHeight: item.warpHeight }]
    })
  }

  #parsedBlock(bytes: Uint8Array, url: string, hasWrappers: boolean): OuterBlock {
    return valueOrThrow(
      () => (hasWrappers ? readOuterBlock(bytes, { parseCertificate: this.#parseCertificate }) : bareBlock(decodeBlock(bytes))),
      ({ message, code }) => syncError("sync.bad_block", { url, reason: message, rule: code }),
    )
  }
}

const longestPause = (problem: Invalid | undefined): number =>
  LASTING.has(problem?.code ?? "") ? LONGEST_REFUSED_PAUSE_MS : LONGEST_PAUSE_MS
