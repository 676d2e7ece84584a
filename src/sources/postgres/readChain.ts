import type { Block } from "../../core/blocks/block.js"
import { Chain } from "../../core/chain/chain.js"
import { clockFor, type OuterBlock, readOuterBlock, VERIFIED_BEFORE } from "../../core/consensus/proposer/outerBlock.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { projectCurrent } from "../../core/readmodel/fold.js"
import { READ_MODEL_VERSION } from "../../core/readmodel/versions.js"
import { overridesID } from "../../core/sql/overrideRows.js"
import { type BlockPlace, partingFrom } from "../../core/state/removedBlocks.js"
import { tables } from "../../core/state/tables.js"
import type { Address } from "../../core/types/address.js"
import { idText } from "../../core/types/id.js"
import { CopiedOverrides } from "../../datadir/copiedOverrides.js"
import { currentNodeTables } from "../../datadir/nodeTables.js"
import { genesisEdits, type StoredChain } from "../../datadir/storedChain.js"
import type { NodeHooks } from "../../node/nodeChain.js"
import type { NodeOptions } from "../../node/options.js"
import type { Database } from "../../postgres/connection.js"
import { postgresError } from "../../postgres/errors.js"
import { type PublishedTip, readTip, type Tip } from "../../postgres/publication.js"
import type { PastRows } from "../../postgres/read/pastRows.js"
import { withPastRows } from "../../postgres/read/pastView.js"
import {
  type OverrideInDatabase,
  readBlockIDs,
  readBlocksAfter,
  readOverrides,
  readRemovals,
  readSnapshotPieces,
  readSnapshots,
} from "../../postgres/read/publishedBlocks.js"
import type { ReadStore } from "../../postgres/read/readStore.js"
import { readSnapshotHead, snapshotRows } from "../../postgres/read/snapshot.js"
import { executeInTurns } from "../executeInTurns.js"

export interface ReadChainOptions extends Pick<NodeHooks, "stateChanged">, Pick<NodeOptions, "log" | "wall"> {
  readonly database: Database
  readonly store: ReadStore
  readonly past: PastRows
  readonly data: StoredChain
  /** The ID of the chain; `null` in a database of an older version. */
  readonly chainID: string | null
}

/** The number of times that a chain which goes back while it is read is read again at once. */
const ATTEMPTS = 3

/** Thrown if the blocks in the database do not follow from the local state, because the chain was reverted. */
class WentBack extends Error {}

/** The chain of a read server: a state that is restored from a snapshot, and extended by the blocks of the database. */
export class ReadChain {
  readonly #options: ReadChainOptions
  /** Blocks that were accepted and not written yet. */
  readonly #unwritten: Block[] = []
  /** The last block that was reported. */
  #reported: BlockPlace
  /** The last block that stays, from the moment when the chain is known to go back until that has been reported. */
  #common: BlockPlace | undefined
  #isGoingBack = false
  #overrides!: CopiedOverrides
  #chain: Chain
  #tip: Tip | undefined
  /** True if the server has reached the tip once since it started or since the chain was reverted. */
  #isCaughtUp = false

  constructor(options: ReadChainOptions) {
    this.#options = options
    this.#chain = this.#openChain()
    this.#reported = this.#chain.lastAccepted
  }

  /** The heights of the state here and of the last published block, if that is known. */
  get status() {
    return { height: this.#chain.lastAccepted.height, tip: this.#tip?.height, isCaughtUp: this.#isCaughtUp }
  }

  /** Restores the newest readable snapshot, unless the local state is newer. Without a snapshot the chain stays at genesis. */
  async restore(): Promise<void> {
    for (const { height, blockID, head } of await readSnapshots(this.#options.database)) {
      try {
        if (!head) throw postgresError("postgres.bad_snapshot", { height, reason: "its first piece is too long" })
        const about = readSnapshotHead(head)
        const isUsable = about?.readModel === READ_MODEL_VERSION && idText(about.blockID) === blockID
        if (!about || !isUsable || height <= this.#chain.lastAccepted.height) continue
        await this.#load(height, head, about.pieces)
        this.#options.log.info("restored a snapshot", { height, pieces: about.pieces })
        return
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        this.#options.log.warn("a snapshot was passed over", { height, reason: error.message })
      }
    }
  }

  /**
   * Executes all blocks up to the tip of the database, after a revert if it was reverted. A revert is due until it has been reported, whatever
   * fails meanwhile. Throws `postgres.replaced` and `postgres.bad_tip`.
   */
  async catchUp(): Promise<void> {
    const { database, store } = this.#options
    for (let attempt = 1; ; attempt++) {
      const tip = await readTip(database)
      if (!tip) return
      if (!this.#tip) store.putMeta({ removedBlocks: await readRemovals(database) })
      this.#take(tip)
      try {
        if (this.#isGoingBack) await this.#goBack(tip)
        else this.#reported = this.#chain.lastAccepted
        await this.#extendTo(tip)
        this.#isCaughtUp = !this.#isGoingBack
        return
      } catch (error) {
        // Blocks that were not written are executed again.
        this.#chain = this.#openChain()
        if (!(error instanceof WentBack)) throw error
        this.#isGoingBack = true
        this.#isCaughtUp = false
        if (attempt === ATTEMPTS) throw postgresError("postgres.bad_tip", { height: tip.height, blockID: tip.blockID })
      }
    }
  }

  /** Takes the tip of the database. Throws `postgres.replaced`. */
  #take(tip: PublishedTip): void {
    const { chainID } = this.#options
    if (tip.identity !== chainID) throw postgresError("postgres.replaced", { expected: chainID, got: tip.identity })
    if (this.#tip !== undefined && tip.reverts !== this.#tip.reverts) {
      this.#isGoingBack = true
      this.#isCaughtUp = false
    }
    this.#tip = tip
  }

  async #extendTo(tip: Tip): Promise<void> {
    const { database } = this.#options
    // Read after the tip, they are all overrides before its block.
    const overrides = await this.#missingOverrides(tip)
    await this.#applyOverrides(overrides)
    while (this.#chain.lastAccepted.height < tip.height) {
      const read = await readBlocksAfter(database, this.#chain.lastAccepted.height)
      const blocks = read.map(({ bytes, warp_height }) => ({
        block: readOuterBlock(bytes, VERIFIED_BEFORE),
        warpHeight: warp_height ?? undefined,
      }))
      if (blocks.length === 0) throw new WentBack()
      const due = blocks.filter(({ block }) => block.height <= tip.height)
      await executeInTurns(due, {
        execute: ({ block, warpHeight }) => this.#execute(block, warpHeight, overrides),
        mayFlush: () => !this.#chain.waitingProposal,
        flush: () => this.#flush(),
      })
    }
    const { height, id } = this.#chain.lastAccepted
    if (height === tip.height && idText(id) !== tip.blockID) throw new WentBack()
    if (this.#unwritten.length === 0) this.#report()
  }

  /** Returns the published overrides that the state does not have. Throws `WentBack` if it has others. */
  async #missingOverrides(tip: Tip): Promise<OverrideInDatabase[]> {
    const own = this.#overrides.bytes()
    if (BigInt(own.length) === tip.overrides && overridesID(own.map((bytes) => ({ bytes }))) === tip.overridesID) return []
    const published = await readOverrides(this.#options.database)
    if (!own.every((bytes, i) => published[i] && equalBytes(bytes, published[i].bytes))) throw new WentBack()
    // The rows of their blocks were published again.
    this.#options.past.clear()
    return published.slice(own.length)
  }

  /** Applies the overrides that follow the last accepted block, and removes them from the list. */
  async #applyOverrides(overrides: OverrideInDatabase[]): Promise<void> {
    for (;;) {
      const next = overrides[0]
      if (!next || next.height !== this.#chain.lastAccepted.height) return
      await withPastRows(() => this.#overrides.apply(next.position, next.bytes))
      overrides.shift()
      this.#options.stateChanged({ kind: "override" })
    }
  }

  /** Executes a block, tries again when rows that it needs have arrived, and applies the overrides that follow it. */
  async #execute(outer: OuterBlock, pChainHeight: bigint | undefined, overrides: OverrideInDatabase[]): Promise<void> {
    const block = outer.inner
    if (block.parentID !== this.#chain.lastAccepted.id) throw new WentBack()
    const now = clockFor(outer, wholeSeconds(this.#options.wall()))
    await withPastRows(() => {
      this.#chain.verify(block, { now, ...(pChainHeight === undefined ? {} : { pChainHeight }) })
      this.#chain.accept(block.id)
    })
    this.#unwritten.push(block)
    if (overrides[0]?.height !== block.height) return
    this.#flush()
    await this.#applyOverrides(overrides)
  }

  #flush(): void {
    this.#chain.flush()
    this.#report()
  }

  /** Reports what was written: first the revert that is due, once the last common block is here, and no block before it. */
  #report(): void {
    const { stateChanged } = this.#options
    const blocks = this.#unwritten.splice(0)
    const common = this.#common
    if (common) {
      if (this.#chain.lastAccepted.height < common.height) return
      this.#reported = common
      this.#common = undefined
      this.#isGoingBack = false
      stateChanged({ kind: "revert", ...common })
    }
    for (const block of blocks) {
      if (common && block.height <= common.height) continue
      this.#reported = block
      stateChanged({ kind: "block", block })
    }
  }

  /** Starts from the newest snapshot of the present chain, or from genesis. */
  async #goBack(tip: Tip): Promise<void> {
    const { store, past, data, log } = this.#options
    log.info("the chain was reverted", { from: this.#reported.height, to: tip.height })
    this.#common = await this.#commonWithDatabase()
    past.clear()
    store.commit(genesisEdits(data), { replaceAll: true })
    this.#chain = this.#openChain()
    await this.restore()
  }

  /** Reads which blocks were removed. Returns the last reported block that the database still has, or genesis. */
  async #commonWithDatabase(): Promise<BlockPlace> {
    const { database, store, data } = this.#options
    const removedBlocks = await readRemovals(database)
    const ids = await readBlockIDs(
      database,
      [this.#reported, ...removedBlocks.map(({ common }) => common)].map(({ height }) => height),
    )
    store.putMeta({ removedBlocks })
    const found = partingFrom(this.#reported, ({ height, id }) => ids.get(height) === id, removedBlocks)
    return found?.common ?? { height: 0n, id: data.genesis.block.id }
  }

  async #load(height: bigint, head: Uint8Array, count: number): Promise<void> {
    const { store, database } = this.#options
    const pieces = readSnapshotPieces(database, height, count)
    await store.load(snapshotRows(head, pieces, [...currentNodeTables, tables.txs]))
    this.#chain = this.#openChain()
  }

  #openChain(): Chain {
    const { data, store } = this.#options
    this.#unwritten.length = 0
    const overrides = new CopiedOverrides(store, () => {})
    this.#overrides = overrides
    const isImpersonated = (owner: Address) => overrides.isImpersonated(owner)
    return new Chain({ rules: data.rules, state: store, project: projectCurrent, isImpersonated })
  }
}
