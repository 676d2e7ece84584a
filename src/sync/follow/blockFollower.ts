import { setMaxListeners } from "node:events"
import { setTimeout } from "node:timers/promises"
import { decodeBlock } from "../../core/blocks/block.js"
import { bareBlock, type OuterBlock, readOuterBlock } from "../../core/consensus/proposer/outerBlock.js"
import { certificateCache } from "../../core/crypto/certificateCache.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Log } from "../../core/lib/log.js"
import { type ID, idText } from "../../core/types/id.js"
import { syncError } from "../errors.js"
import { type Disagreement, disagreementWith, type GivenBlock } from "./agreement.js"
import type { BlockSource } from "./blockSource.js"
import type { HttpNodeOptions } from "./httpNode.js"
import { inBatches } from "./inBatches.js"
import { type FoundNode, openSource } from "./openSource.js"

/** The copy that a follower extends. */
export interface CopyPort {
  readonly networkID: number
  /** Returns whether the copy has the upgrade times of this upgrade file. */
  hasUpgrades(upgradeText: string): boolean
  /** The last accepted block, by its ID without wrapper. */
  readonly lastAccepted: GivenBlock
  /** Returns the supply of AVAX after the last accepted block. */
  supply(): bigint
  /** Returns the ID of an accepted block, without its wrapper. */
  idAt(height: bigint): ID | undefined
  /** Executes blocks in order and writes them. Throws `sync.refused` if one breaks a rule. */
  execute(blocks: readonly OuterBlock[]): Promise<void>
}

/** Options of a follower. */
export interface BlockFollowerOptions {
  readonly urls: readonly string[]
  readonly http: HttpNodeOptions
  readonly copy: CopyPort
  readonly log: Log
}

/** Progress of a follower. */
export interface FollowStatus {
  /** The node whose blocks are executed, and the way in which they are requested. */
  readonly source: { readonly url: string; readonly kind: BlockSource["kind"] } | undefined
  /** The height of the newest block that a node is known to have. */
  readonly target: bigint
  /** The problem that stops the copy at present. */
  readonly problem: Invalid | undefined
}

const LIMITS = { batch: 256, ahead: 2048 }
/** Fewer blocks than these at once are the newest ones, for which other nodes are waited for. */
const AT_THE_TIP = 16
const OTHERS_MS = 500
const LOOK_MS = 25
const SUPPLY_CHECK_MS = 10_000
const LOOK_AHEAD_MS = 2_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** Extends a copy of a chain by blocks from other nodes' APIs, as long as these nodes agree. */
export class BlockFollower {
  readonly #options: BlockFollowerOptions
  readonly #abort = new AbortController()
  readonly #parseCertificate = certificateCache()
  #status: FollowStatus = { source: undefined, target: 0n, problem: undefined }
  /** Index of the node that is asked first. It changes after a failure. */
  #preferred = 0
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

  /** Starts to follow. `onFault` is called with a fault in Serac, which ends it. */
  start(onFault: (error: unknown) => void): void {
    this.#running = this.#run().catch(onFault)
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; ) {
      const { height } = this.#options.copy.lastAccepted
      try {
        await this.#follow()
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof Invalid)) throw error
        this.#stopped(error)
        // A wrong state stays wrong.
        if (error.code === "sync.other_supply") return
      }
      const hasMoved = this.#options.copy.lastAccepted.height > height
      pause = hasMoved ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
      await setTimeout(pause, undefined, { signal }).catch(() => {})
    }
  }

  /** Records and logs a problem once. Another node is preferred next time. */
  #stopped(error: Invalid): void {
    if (this.#status.problem?.message !== error.message) this.#options.log.warn("the copy waits", { reason: error.message })
    this.#status = { ...this.#status, problem: error }
    this.#preferred++
  }

  /** Follows one node until something fails. */
  async #follow(): Promise<void> {
    const { copy, log } = this.#options
    const [source, ...others] = await this.#openSources()
    if (!source) return
    const { url, kind } = source
    this.#status = { ...this.#status, source: { url, kind } }
    log.info("following", { url, kind, height: Number(copy.lastAccepted.height) })
    const items = source.blocksFrom(copy.lastAccepted.height + 1n, this.#abort.signal)
    for await (const batch of inBatches(items, LIMITS)) {
      const blocks = this.#parsed(batch, source)
      const disagreement = await this.#disagreement(blocks, others)
      const agreed = disagreement ? blocks.filter(({ height }) => height < disagreement.height) : blocks
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
    const height = await source.height(this.#abort.signal)
    if (height > this.#status.target) this.#status = { ...this.#status, target: height }
    this.#nextLookAhead = performance.now() + LOOK_AHEAD_MS
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

  /** Returns the nodes that answer, the preferred one first. Throws if none does, or if one has another chain. */
  async #openSources(): Promise<BlockSource[]> {
    const { urls, http } = this.#options
    const { signal } = this.#abort
    const turned = urls.map((_, i) => urls[(this.#preferred + i) % urls.length] as string)
    const opened = await Promise.allSettled(turned.map((url) => openSource(url, http, signal)))
    const found = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))
    for (const node of found) this.#requireSameNetwork(node)
    const sources = found.map(({ source }) => source)
    for (const source of sources) await this.#requireSameChain(source)
    const [failed] = opened.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []))
    if (sources.length === 0) throw failed
    if (failed) this.#options.log.warn("a node that is followed does not answer", { reason: (failed as Error).message })
    return sources
  }

  #requireSameNetwork({ networkID, upgradeText, source: { url } }: FoundNode): void {
    const { copy } = this.#options
    if (networkID !== copy.networkID) throw syncError("sync.other_network", { url, expected: copy.networkID, got: networkID })
    if (upgradeText !== undefined && !copy.hasUpgrades(upgradeText)) throw syncError("sync.other_upgrades", { url })
  }

  /** Compares the newest block that both have, and records the height of the node. */
  async #requireSameChain(source: BlockSource): Promise<void> {
    const { copy } = this.#options
    const height = await source.height(this.#abort.signal)
    if (height > this.#status.target) this.#status = { ...this.#status, target: height }
    const common = height < copy.lastAccepted.height ? height : copy.lastAccepted.height
    const [own, other] = [copy.idAt(common), await source.blockIDAt(common, this.#abort.signal)]
    if (own === undefined || other === undefined || own === other) return
    throw syncError("sync.other_chain", { url: source.url, height: common, got: idText(other), expected: idText(own) })
  }

  #parsed(batch: readonly Uint8Array[], { url, hasWrappers }: BlockSource): OuterBlock[] {
    let expected = this.#options.copy.lastAccepted.height + 1n
    return batch.map((bytes) => {
      const block = this.#parsedBlock(bytes, url, hasWrappers)
      if (block.height !== expected)
        throw syncError("sync.bad_answer", { url, reason: `block ${block.height} came in place of ${expected}` })
      expected++
      return block
    })
  }

  #parsedBlock(bytes: Uint8Array, url: string, hasWrappers: boolean): OuterBlock {
    try {
      if (!hasWrappers) return bareBlock(decodeBlock(bytes))
      return readOuterBlock(bytes, { verifiesSignature: true, parseCertificate: this.#parseCertificate })
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      throw syncError("sync.bad_answer", { url, reason: `a block cannot be read: ${error.message}` })
    }
  }

  /** Returns the lowest height at which another node has another block. Nodes that do not answer are skipped. */
  async #disagreement(blocks: readonly OuterBlock[], others: readonly BlockSource[]): Promise<Disagreement | undefined> {
    const given = blocks.map(({ inner }) => ({ height: inner.height, id: inner.id }))
    const found = await Promise.all(others.map((other) => this.#disagreementWith(other, given)))
    return found.reduce((lowest, each) => (each && (!lowest || each.height < lowest.height) ? each : lowest), undefined)
  }

  async #disagreementWith(other: BlockSource, given: readonly GivenBlock[]): Promise<Disagreement | undefined> {
    const { signal } = this.#abort
    try {
      if (given.length < AT_THE_TIP) await this.#waitFor(other, (given.at(-1) as GivenBlock).height)
      return await disagreementWith(other, given, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof Invalid)) throw error
      this.#options.log.warn("a node that is followed does not answer", { reason: error.message })
      return undefined
    }
  }

  /** Waits a moment until another node has a block, too. */
  async #waitFor(other: BlockSource, height: bigint): Promise<void> {
    const { signal } = this.#abort
    const until = performance.now() + OTHERS_MS
    while ((await other.height(signal)) < height && performance.now() < until) await setTimeout(LOOK_MS, undefined, { signal })
  }
}

function disagreementError({ height, id, otherID, otherUrl }: Disagreement, url: string): Invalid {
  return syncError("sync.disagreement", { height, url, blockID: idText(id), otherUrl, otherBlockID: idText(otherID) })
}
