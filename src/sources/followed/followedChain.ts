import type { Block } from "../../core/blocks/block.js"
import { Chain } from "../../core/chain/chain.js"
import { type StatePort, WriteFailure } from "../../core/chain/statePort.js"
import { OuterChain } from "../../core/consensus/proposer/outerChain.js"
import { valueOrThrow } from "../../core/lib/invalid.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { isProduction } from "../../core/networks/names.js"
import { remedyOf } from "../../core/networks/otherRules.js"
import { parseUpgradeFile } from "../../core/networks/upgradeFile.js"
import { project } from "../../core/readmodel/fold.js"
import { supplyOf } from "../../core/rules/staking.js"
import { tables } from "../../core/state/tables.js"
import type { Address } from "../../core/types/address.js"
import { type ID, idText, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { CopiedOverrides } from "../../datadir/copiedOverrides.js"
import type { StoredChain } from "../../datadir/storedChain.js"
import { copyHeaderOf, isMadeByOneNode } from "../../datadir/storedIdentity.js"
import { upgradesText } from "../../datadir/upgradesOfChain.js"
import type { NodeHooks } from "../../node/nodeChain.js"
import type { NodeOptions } from "../../node/options.js"
import type { Store } from "../../store/store.js"
import { DecidedBlocks } from "../../sync/decidedBlocks.js"
import { syncError } from "../../sync/errors.js"
import { BlockFollower } from "../../sync/follow/blockFollower.js"
import type { OverrideItem } from "../../sync/follow/blockSource.js"
import type { FollowStatus } from "../../sync/follow/copyPort.js"
import type { HttpNodeOptions } from "../../sync/follow/httpNode.js"
import type { BlockItem, CopyItem } from "../../sync/follow/itemParser.js"
import { WentBack } from "../../sync/follow/parting.js"
import { type CatchUp, copyReport } from "../catchUpReport.js"
import { executeInTurns } from "../executeInTurns.js"
import { StoreFailures } from "../storeFailures.js"
import { WayBack } from "./wayBack.js"

export interface FollowOptions {
  readonly urls: readonly string[]
  readonly http: HttpNodeOptions
  /** The last height to copy; by default the copy follows every new block. */
  readonly until?: bigint | undefined
  /** True if a problem that another attempt does not solve ends the copy (`failed`); by default the copy serves on and tries again. */
  readonly endsOnProblem?: boolean | undefined
  /** Called with the progress of a copy that catches up, and with `undefined` when it has caught up; by default the progress is logged. */
  readonly onProgress?: ((progress: CatchUp | undefined) => void) | undefined
}

/** `onFault` is called with the problem that ends a copy with `endsOnProblem`. */
export interface FollowedChainOptions extends FollowOptions, NodeHooks, Pick<NodeOptions, "log" | "wall"> {
  readonly store: Store
  readonly data: StoredChain
}

/** A verified copy of a chain, extended by the blocks from other nodes' APIs. Every block is executed before it is written. */
export class FollowedChain {
  readonly #options: FollowedChainOptions
  readonly #state: StatePort
  readonly #failures: StoreFailures
  readonly #follower: BlockFollower
  readonly #report: (progress: CatchUp) => void
  /** True if the chain is a network's, whose wrappers name the heights of Warp messages, and which has no overrides. */
  readonly #isOfNetwork: boolean
  #overrides: CopiedOverrides
  /** Overrides that were received and not applied yet, by position. They may be those of later blocks. */
  readonly #waiting = new Map<bigint, OverrideItem>()
  readonly #wayBack: WayBack
  /** Blocks that were accepted, and that readers were not told of yet. */
  readonly #untold: Block[] = []
  #outer: OuterChain
  #decided: DecidedBlocks
  #isStopped = false

  constructor(options: FollowedChainOptions) {
    const { store, data, log, urls, http, endsOnProblem } = options
    this.#options = options
    this.#failures = new StoreFailures(log, () => performance.now())
    this.#report = copyReport({ log, now: () => performance.now(), watch: options.onProgress })
    this.#state = this.#failures.stateOf(store)
    this.#isOfNetwork = !isMadeByOneNode(store)
    this.#overrides = new CopiedOverrides(this.#state)
    this.#wayBack = new WayBack(store, data)
    this.#outer = this.#openOuter()
    this.#decided = this.#decidedOn(this.#outer)
    this.#follower = new BlockFollower({
      urls,
      http,
      log,
      endsOnProblem,
      onFault: (error) => this.#faulted(error),
      copy: {
        networkID: data.rules.networkID,
        chainID: copyHeaderOf(store).id,
        hasUpgrades: (text) => hasUpgrades(data, text),
        lastAccepted: () => this.#outer.chain.lastAccepted,
        supply: () => supplyOf(this.#outer.chain.state, PRIMARY_NETWORK_ID),
        idAt: (height) => this.#idAt(height),
        overrideCount: () => this.#overrides.count,
        mayGoBack: !this.#isOfNetwork,
        goBack: (height, overrides) => this.#goBack(height, overrides),
        execute: (items) =>
          this.#failures.retry(
            () =>
              executeInTurns(items.filter(this.#isDue), {
                execute: (item) => this.#execute(item),
                flush: () => this.#flush(),
              }),
            () => this.#isStopped,
          ),
      },
    })
  }

  get status(): FollowStatus {
    return this.#follower.status
  }

  get height(): bigint {
    return this.#outer.chain.lastAccepted.height
  }

  /** True from the moment when the copy goes back with its source until its readers are told. */
  get isGoingBack(): boolean {
    return this.#wayBack.isOwed
  }

  start(): void {
    this.#mark()
    this.#follower.start((error) => this.#options.onFault(error))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#follower.stop()
  }

  /** Drops everything that is not on the disk, because nothing else can be trusted after a fault. */
  #faulted(error: unknown): void {
    this.#options.reportFault(error, "copy of the chain")
    this.#reopen()
  }

  #idAt(height: bigint): ID | undefined {
    const { chain } = this.#outer
    return height === chain.lastAccepted.height ? chain.lastAccepted.id : chain.state.get(tables.blockIDs, height)
  }

  #openOuter(): OuterChain {
    const isImpersonated = (owner: Address) => this.#overrides.isImpersonated(owner)
    return new OuterChain(new Chain({ rules: this.#options.data.rules, state: this.#state, project, isImpersonated }))
  }

  #decidedOn(outer: OuterChain): DecidedBlocks {
    const waitsForClock = this.#isOfNetwork && isProduction(this.#options.data.rules.networkID)
    return new DecidedBlocks({ outer, isPrivate: !this.#isOfNetwork, waitsForClock })
  }

  /** Continues from the disk. */
  #reopen(): void {
    this.#untold.length = 0
    this.#outer = this.#openOuter()
    this.#decided = this.#decidedOn(this.#outer)
  }

  /** Returns whether an item is to be executed: a block that is new, and not after the last height to copy, or an override. */
  readonly #isDue = (item: CopyItem): boolean => {
    const { until } = this.#options
    return item.kind !== "block" || (item.block.height > this.height && (until === undefined || item.block.height <= until))
  }

  /** Executes a block, or keeps an override, and applies the overrides that are due. */
  #execute(item: CopyItem): void {
    if (item.kind === "override") this.#keepOverride(item)
    else {
      this.#accept(item)
      this.#untold.push(item.block.inner)
    }
    for (let due = this.#dueOverride(); due; due = this.#dueOverride()) {
      this.#flush()
      this.#applyOverride(due)
    }
  }

  /** Compares an override that the copy has, and keeps any other until its block is executed. */
  #keepOverride(item: OverrideItem): void {
    if (this.#isOfNetwork) throw syncError("sync.bad_override", { reason: "the chain of a network has none" })
    if (item.position >= BigInt(this.#overrides.count)) this.#waiting.set(item.position, item)
    else if (!this.#overrides.has(item.position, item.bytes)) {
      this.#goBack(this.height, Number(item.position))
      throw new WentBack()
    }
  }

  /** Marks what is written as a state to which the copy can go back. */
  #mark(): void {
    if (!this.#isOfNetwork) this.#wayBack.mark(this.#outer.chain.lastAccepted, this.#overrides.count)
  }

  /** Goes back to a state that is not after a height and has no more than some overrides. */
  #goBack(height: bigint, overrides: number): void {
    this.#reopen()
    const { lastAccepted } = this.#outer.chain
    this.#wayBack.goBack(lastAccepted, height, overrides)
    this.#waiting.clear()
    this.#overrides = new CopiedOverrides(this.#state)
    this.#reopen()
    this.#tell()
  }

  /** Tells readers what was written: first the revert that is due, once the last common block is here, and no block before it. */
  #tell(): void {
    const { stateChanged } = this.#options
    const common = this.#wayBack.settle(this.#outer.chain.lastAccepted)
    const blocks = this.#untold.splice(0)
    if (common) stateChanged({ kind: "revert", ...common })
    else if (this.#wayBack.isOwed) return
    for (const block of blocks) if (!common || block.height > common.height) stateChanged({ kind: "block", block })
  }

  /** Returns the next override if its block is the last accepted one, or an earlier one. */
  #dueOverride(): OverrideItem | undefined {
    const next = this.#waiting.get(BigInt(this.#overrides.count))
    return next && CopiedOverrides.rowOf(next.position, next.bytes).height <= this.height ? next : undefined
  }

  #applyOverride({ position, bytes }: OverrideItem): void {
    this.#write(() => this.#overrides.apply(position, bytes))
    this.#waiting.delete(position)
    this.#mark()
    if (!this.isGoingBack) this.#options.stateChanged({ kind: "override" })
  }

  #accept(item: BlockItem): void {
    const { inner, height } = item.block
    valueOrThrow(
      () => this.#decided.accept(item.block, wholeSeconds(this.#options.wall()), this.#isOfNetwork ? undefined : item.warpHeight),
      ({ code: rule, avalanchegoMessage: reason, data, dependsOn }) => {
        const facts = { height, blockID: idText(inner.id), kind: inner.kind, rule, reason, ...data, remedy: remedyOf(rule) }
        return syncError("sync.refused", facts).dependingOn(dependsOn)
      },
    )
  }

  #flush(): void {
    // A revert is due until it was told, also if its blocks were written before.
    if (this.#untold.length === 0 && !this.isGoingBack) return
    this.#write(() => this.#outer.chain.flush())
    this.#tell()
    this.#mark()
    const { target } = this.status
    const { until = target } = this.#options
    this.#report({ height: this.height, target: until < target ? until : target })
  }

  /** Writes to the store. If that fails, everything that is not on the disk is dropped and executed again. */
  #write(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (error instanceof WriteFailure) this.#reopen()
      throw error
    }
  }
}

/** Compares upgrade times. Those of Mainnet and Fuji change with the releases of nodes, so they are not compared. */
function hasUpgrades({ rules }: StoredChain, upgradeText: string): boolean {
  return isProduction(rules.networkID) || upgradesText(parseUpgradeFile(upgradeText)) === upgradesText(rules.upgrades)
}
