import { setImmediate } from "node:timers/promises"
import type { AcceptedEvent } from "../../core/blocks/acceptedEvent.js"
import { type StatePort, WriteFailure } from "../../core/chain/statePort.js"
import type { OuterBlock } from "../../core/consensus/proposer/outerBlock.js"
import type { OuterChain } from "../../core/consensus/proposer/outerChain.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Log } from "../../core/lib/log.js"
import { max } from "../../core/lib/math64.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { isProduction } from "../../core/networks/names.js"
import { parseUpgradeFile } from "../../core/networks/upgradeFile.js"
import { chainTimeOf } from "../../core/rules/context.js"
import { supplyOf } from "../../core/rules/staking.js"
import { tables } from "../../core/state/tables.js"
import { type ID, idText, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import type { Store } from "../../store/store.js"
import { syncError } from "../../sync/errors.js"
import { BlockFollower, type FollowStatus } from "../../sync/follow/blockFollower.js"
import type { HttpNodeOptions } from "../../sync/follow/httpNode.js"
import type { ChainData } from "../chainData.js"
import { openOuterChain } from "../openOuterChain.js"
import { StoreFailures } from "../storeFailures.js"
import { upgradesText } from "../upgradesOfChain.js"
import { type CopyProgress, FollowReport } from "./followReport.js"

/** Options of following a chain through other nodes' APIs. */
export interface SourceOptions {
  /** The addresses of the nodes. */
  readonly urls: readonly string[]
  readonly http: HttpNodeOptions
  /** The last height to copy; by default the copy follows every new block. */
  readonly until?: bigint | undefined
  /** Called with the progress of a copy that catches up, and with `undefined` when it has caught up; by default the progress is logged. */
  readonly onProgress?: ((progress: CopyProgress | undefined) => void) | undefined
}

/** Options of a followed chain. */
export interface FollowedChainOptions extends SourceOptions {
  readonly store: Store
  readonly data: ChainData
  readonly log: Log
  /** The machine's clock, Unix milliseconds. */
  wall(): number
  onFault(error: unknown): void
}

/** Milliseconds on the event loop after which other work runs. */
const TURN_MS = 20

/** A verified copy of a chain, extended by the blocks from other nodes' APIs. Every block is executed before it is written. */
export class FollowedChain {
  readonly #options: FollowedChainOptions
  readonly #listeners = new Set<(event: AcceptedEvent) => void>()
  readonly #state: StatePort
  readonly #failures: StoreFailures
  readonly #follower: BlockFollower
  readonly #report: FollowReport
  #outer: OuterChain
  /** True after the first block without its wrapper. */
  #isBare = false
  #isStopped = false

  constructor(options: FollowedChainOptions) {
    const { store, data, log, urls, http } = options
    this.#options = options
    this.#failures = new StoreFailures(log, () => performance.now())
    this.#report = new FollowReport({ log, now: () => performance.now(), watch: options.onProgress })
    this.#state = this.#failures.stateOf(store)
    this.#outer = openOuterChain(data.rules, this.#state)
    const self = this
    this.#follower = new BlockFollower({
      urls,
      http,
      log,
      copy: {
        networkID: data.rules.networkID,
        hasUpgrades: (text) => hasUpgrades(data, text),
        get lastAccepted() {
          return self.#outer.chain.lastAccepted
        },
        supply: () => supplyOf(this.#outer.chain.state, PRIMARY_NETWORK_ID),
        idAt: (height) => this.#idAt(height),
        execute: (blocks) =>
          this.#failures.retry(
            () => this.#execute(blocks.filter(({ height }) => height > this.height)),
            () => this.#isStopped,
          ),
      },
    })
  }

  get status(): FollowStatus {
    return this.#follower.status
  }

  /** The height of the last accepted block. */
  get height(): bigint {
    return this.#outer.chain.lastAccepted.height
  }

  /** Calls the listener after every change of the state. Returns a function that unsubscribes. */
  onAccepted(listener: (event: AcceptedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  start(): void {
    this.#follower.start((error) => this.#options.onFault(error))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#follower.stop()
  }

  #idAt(height: bigint): ID | undefined {
    const { chain } = this.#outer
    return height === chain.lastAccepted.height ? chain.lastAccepted.id : chain.state.get(tables.blockIDs, height)
  }

  /** Executes blocks and writes them in one transaction of the store, or in several if it takes long. */
  async #execute(blocks: readonly OuterBlock[]): Promise<void> {
    const { until } = this.#options
    let started = performance.now()
    let unwritten: OuterBlock[] = []
    try {
      for (const block of blocks) {
        if (until !== undefined && block.height > until) break
        this.#accept(block)
        unwritten.push(block)
        if (performance.now() - started < TURN_MS) continue
        this.#flush(unwritten)
        unwritten = []
        await setImmediate()
        started = performance.now()
      }
    } finally {
      this.#flush(unwritten)
    }
  }

  #accept(block: OuterBlock): void {
    try {
      this.#verifyAndAccept(block)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      const { inner, height } = block
      const { code, avalanchegoMessage, data, dependsOn } = error
      throw syncError("sync.refused", {
        height,
        blockID: idText(inner.id),
        kind: inner.kind,
        rule: code,
        reason: avalanchegoMessage,
        ...data,
      }).dependingOn(dependsOn)
    }
  }

  /**
   * Verifies a block in its wrapper by the rules of bootstrapping. After the first block that lacks its wrapper, wrappers are not stored.
   */
  #verifyAndAccept(block: OuterBlock): void {
    const nowSeconds = this.#clockFor(block)
    if (!this.#isBare && this.#isAcceptedWrapped(block, nowSeconds)) return
    const { chain } = this.#outer
    chain.verify(block.inner, { now: nowSeconds })
    chain.accept(block.inner.id)
  }

  /** Accepts a block with its wrapper. Returns false if the copy, or the node that the block comes from, lacks wrappers. */
  #isAcceptedWrapped(block: OuterBlock, nowSeconds: bigint): boolean {
    const outer = this.#outer
    try {
      outer.verify(block, { nowSeconds, isBootstrapping: true })
    } catch (error) {
      const { height, wrapper } = outer.lastAccepted
      const lacksWrapper = height > 0n && !wrapper
      const code = error instanceof Invalid ? error.code : ""
      this.#isBare = code === "consensus.expected_wrapper" || (lacksWrapper && code.startsWith("consensus."))
      if (this.#isBare) return false
      throw error
    }
    outer.accept(block.id)
    return true
  }

  /**
   * Returns the machine's clock. A private network may have moved its own clock ahead, so there the time of the block counts if it is
   * later.
   */
  #clockFor({ inner, wrapper }: OuterBlock): bigint {
    const wall = wholeSeconds(this.#options.wall())
    if (isProduction(this.#options.data.rules.networkID)) return wall
    const own = "time" in inner ? inner.time : chainTimeOf(this.#outer.chain.state)
    const wrapped = wrapper && wrapper.kind !== "ProposerVMOption" ? wrapper.timestamp : 0n
    return max(wall, max(own, wrapped))
  }

  #flush(blocks: readonly OuterBlock[]): void {
    if (blocks.length === 0) return
    try {
      this.#outer.chain.flush()
    } catch (error) {
      // Everything that is not on the disk is dropped and executed again.
      if (error instanceof WriteFailure) this.#outer = openOuterChain(this.#options.data.rules, this.#state)
      throw error
    }
    for (const { inner } of blocks) this.#emit({ kind: "block", block: inner })
    const { target } = this.status
    const { until = target } = this.#options
    this.#report.tick({ height: this.height, target: until < target ? until : target })
  }

  #emit(event: AcceptedEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

/** Compares upgrade times. Those of Mainnet and Fuji change with the releases of nodes, so they are not compared. */
function hasUpgrades({ rules }: ChainData, upgradeText: string): boolean {
  return isProduction(rules.networkID) || upgradesText(parseUpgradeFile(upgradeText)) === upgradesText(rules.upgrades)
}
