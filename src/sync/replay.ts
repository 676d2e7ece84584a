import { setImmediate } from "node:timers/promises"
import type { Chain } from "../core/chain/chain.js"
import type { SignerThreads } from "../core/chain/signersAhead.js"
import { wrapperPositionOf } from "../core/consensus/proposer/wrapperRules.js"
import { putWarpHeight } from "../core/consensus/proposer/wrapperStore.js"
import { certificateCache } from "../core/crypto/certificateCache.js"
import { Invalid } from "../core/lib/invalid.js"
import { contextHeight } from "../core/rules/epoch.js"
import { tables } from "../core/state/tables.js"
import { idText } from "../core/types/id.js"
import type { Container } from "../core/types/proposervm.js"
import { type BlockEntry, type RawEntry, timeOf } from "./blockEntry.js"
import type { OverrideEntry } from "./chainLines.js"
import { syncError } from "./errors.js"
import { readAhead } from "./readAhead.js"

export interface ReplayOptions {
  /** The last height to execute. */
  readonly until?: bigint | undefined
  /**
   * Returns milliseconds of a clock by which groups are written at least once a second. By default only the size of their rows counts. A
   * killed replay loses at most one group, and replays it again.
   */
  now?(): number
  /** Returns true when the replay should stop. The executed blocks are then written, and `sync.stopped` names the last height. */
  isStopped?(): boolean
  /** Threads that recover signers ahead. By default the execution recovers them. */
  readonly threads?: SignerThreads | undefined
  /** Calls a function that writes again if it failed. By default a failed write ends the replay. */
  retry?(write: () => Promise<void>): Promise<void>
  /** Applies an override of a private chain after the blocks before it, which are written. Files with overrides are refused by default. */
  applyOverride?(position: bigint, bytes: Uint8Array): unknown
  /** True if the wrappers do not name the P-Chain heights of Warp messages, as those of a private chain or a fork. */
  readonly isPrivate?: boolean | undefined
  onBlock?(height: bigint): void
  /** Called after every group that was written. */
  onFlush?(height: bigint): void
}

export interface ReplayResult {
  readonly executed: number
  readonly skipped: number
}

/** The maximum time of a group, milliseconds, because blocks with many proofs take long and a kill loses the group. */
const GROUP_MILLISECONDS = 1000

/**
 * Executes blocks one after the other on a chain. Blocks that the store has are compared and skipped, so a replay continues where it
 * stopped. The first bad block ends it (`sync.refused` and others); the good ones before it are stored.
 */
export async function replay(entries: AsyncIterable<RawEntry>, chain: Chain, options: ReplayOptions = {}): Promise<ReplayResult> {
  const { threads, until } = options
  const executor = new BlockExecutor(chain, options)
  const group = new Group(chain, options)
  const done = { executed: 0, skipped: 0 }
  try {
    for await (const part of readAhead(entries, {
      chain,
      threads,
      parseCertificate: certificateCache(chain.rules.crypto.parseCertificate),
    })) {
      for (const entry of part) {
        if (entry instanceof Invalid) throw entry
        if ("override" in entry) {
          await group.flush()
          await applyOverride(entry, options)
          continue
        }
        if (until !== undefined && entry.block.height > until) return done
        if (executor.step(entry)) {
          done.executed++
        } else {
          done.skipped++
        }
        options.onBlock?.(entry.block.height)
        if (group.isDue) {
          await group.flush()
          // This lets signals be handled at times, however fast the file is read.
          await setImmediate()
        }
        if (options.isStopped?.()) throw syncError("sync.stopped", { height: chain.lastAccepted.height })
      }
    }
  } finally {
    await group.flush()
  }
  return done
}

async function applyOverride({ position, override, place }: OverrideEntry, options: ReplayOptions): Promise<void> {
  const { applyOverride: apply, retry = (write) => write() } = options
  if (!apply) throw syncError("sync.bad_line", { line: place, reason: "overrides are not applied here" })
  await retry(async () => void apply(position, override))
}

/** The executed blocks that are written together. */
class Group {
  readonly #chain: Chain
  readonly #options: ReplayOptions
  readonly #now: () => number
  #flushed: number

  constructor(chain: Chain, options: ReplayOptions) {
    this.#chain = chain
    this.#options = options
    this.#now = () => options.now?.() ?? 0
    this.#flushed = this.#now()
  }

  get isDue(): boolean {
    return this.#chain.isGroupFull || this.#now() - this.#flushed >= GROUP_MILLISECONDS
  }

  async flush(): Promise<void> {
    const { retry = (write) => write() } = this.#options
    await retry(async () => this.#chain.flush())
    this.#flushed = this.#now()
    this.#options.onFlush?.(this.#chain.lastAccepted.height)
  }
}

/** Executes block after block, and keeps the facts that a block does not contain. */
class BlockExecutor {
  readonly #chain: Chain
  readonly #isPrivate: boolean
  #clock = 0n
  #parentWrapper: Exclude<Container, { kind: "ProposerVMOption" }> | undefined

  constructor(chain: Chain, { isPrivate = false }: ReplayOptions) {
    this.#chain = chain
    this.#isPrivate = isPrivate
  }

  /** Executes a block, or skips one that the store has. Returns whether it executed the block. */
  step(entry: BlockEntry): boolean {
    const { block } = entry
    const time = timeOf(entry)
    if (time !== undefined && time > this.#clock) this.#clock = time
    const pChainHeight = this.#pChainHeight(entry)
    if (entry.wrapper && entry.wrapper.kind !== "ProposerVMOption") this.#parentWrapper = entry.wrapper
    if (block.height <= this.#chain.lastAccepted.height) {
      this.#compare(entry)
      return false
    }
    try {
      this.#chain.verify(block, { now: this.#clock, ...(pChainHeight === undefined ? {} : { pChainHeight }) })
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      throw this.#refusal(entry, error)
    }
    const named = entry.pChainHeight
    this.#chain.accept(block.id, named === undefined ? undefined : (changes) => putWarpHeight(changes, block, named))
    return true
  }

  #compare({ block, place }: BlockEntry): void {
    const waiting = this.#chain.waitingProposal
    const known = waiting?.height === block.height ? waiting.id : this.#chain.state.get(tables.blockIDs, block.height)
    if (known === block.id) return
    const data = { height: block.height, line: place, got: idText(block.id) }
    throw syncError("sync.other_chain", known === undefined ? data : { ...data, expected: idText(known) })
  }

  #refusal({ block, place }: BlockEntry, error: Invalid): Invalid {
    const { lastAccepted } = this.#chain
    const data = { height: block.height, blockID: idText(block.id), line: place }
    if (error.code === "block.unknown_parent") {
      return syncError("sync.gap", { ...data, lastHeight: lastAccepted.height, parentID: idText(block.parentID) })
    }
    return syncError("sync.refused", {
      ...data,
      kind: block.kind,
      rule: error.code,
      reason: error.avalanchegoMessage,
      ...error.data,
    })
  }

  /** Returns the height at which a block's Warp messages are verified, if the entry names one. */
  #pChainHeight({ wrapper, pChainHeight }: BlockEntry): bigint | undefined {
    if (pChainHeight !== undefined || this.#isPrivate) return pChainHeight
    const position = wrapperPositionOf({ wrapper })
    return position && contextHeight(this.#chain.rules.upgrades, position, this.#parentWrapper?.pChainHeight ?? 0n)
  }
}
