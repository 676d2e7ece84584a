import { setImmediate } from "node:timers/promises"
import type { SignerThreads } from "../core/chain/signersAhead.js"
import type { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { certificateCache } from "../core/crypto/certificateCache.js"
import { Invalid, valueOrThrow } from "../core/lib/invalid.js"
import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { tables } from "../core/state/tables.js"
import { idText } from "../core/types/id.js"
import type { BlockEntry, RawEntry } from "./blockEntry.js"
import type { OverrideEntry } from "./chainLines.js"
import { DecidedBlocks } from "./decidedBlocks.js"
import { syncError } from "./errors.js"
import { readAhead } from "./readAhead.js"

export interface ReplayOptions {
  /**
   * Returns the machine's clock, Unix milliseconds, see `clockFor`. Groups are written at least once a second by it. A killed replay loses at
   * most one group, and replays it again.
   */
  now(): number
  /** The last height to execute. */
  readonly until?: bigint | undefined
  /** Returns true when the replay should stop. The executed blocks are then written, and `sync.stopped` names the last height. */
  isStopped?(): boolean
  /** Threads that recover signers ahead. By default the execution recovers them. */
  readonly threads?: SignerThreads | undefined
  /** Calls a function that writes again if it failed. By default a failed write ends the replay. */
  retry?(write: () => Promise<void>): Promise<void>
  /** Applies an override of a private chain after the blocks before it, which are written. Files with overrides are refused by default. */
  applyOverride?(position: bigint, bytes: Uint8Array): unknown
  /** See `DecidedBlocksOptions`. */
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
export async function replay(entries: AsyncIterable<RawEntry>, outer: OuterChain, options: ReplayOptions): Promise<ReplayResult> {
  const { chain } = outer
  const { threads, until } = options
  const executor = new BlockExecutor(outer, options)
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
  readonly #chain: OuterChain["chain"]
  readonly #options: ReplayOptions
  #flushed: number

  constructor(chain: OuterChain["chain"], options: ReplayOptions) {
    this.#chain = chain
    this.#options = options
    this.#flushed = options.now()
  }

  get isDue(): boolean {
    return this.#chain.isGroupFull || this.#options.now() - this.#flushed >= GROUP_MILLISECONDS
  }

  async flush(): Promise<void> {
    const { retry = (write) => write() } = this.#options
    await retry(async () => this.#chain.flush())
    this.#flushed = this.#options.now()
    this.#options.onFlush?.(this.#chain.lastAccepted.height)
  }
}

/** Executes block after block. */
class BlockExecutor {
  readonly #outer: OuterChain
  readonly #options: ReplayOptions
  readonly #decided: DecidedBlocks

  constructor(outer: OuterChain, options: ReplayOptions) {
    this.#outer = outer
    this.#options = options
    this.#decided = new DecidedBlocks({ outer, isPrivate: options.isPrivate ?? false })
  }

  /** Executes a block, or skips one that the store has. Returns whether it executed the block. */
  step(entry: BlockEntry): boolean {
    const { block, pChainHeight } = entry
    if (block.height <= this.#outer.chain.lastAccepted.height) {
      this.#compare(entry)
      return false
    }
    valueOrThrow(
      () => this.#decided.accept(block, wholeSeconds(this.#options.now()), pChainHeight),
      (error) => this.#refusal(entry, error),
    )
    return true
  }

  #compare({ block: { inner }, place }: BlockEntry): void {
    const { chain } = this.#outer
    const waiting = chain.waitingProposal
    const known = waiting?.height === inner.height ? waiting.id : chain.state.get(tables.blockIDs, inner.height)
    if (known === inner.id) return
    const data = { height: inner.height, line: place, got: idText(inner.id) }
    throw syncError("sync.other_chain", known === undefined ? data : { ...data, expected: idText(known) })
  }

  #refusal({ block: { inner }, place }: BlockEntry, error: Invalid): Invalid {
    const { lastAccepted } = this.#outer.chain
    const data = { height: inner.height, blockID: idText(inner.id), line: place }
    if (
      error.code === "block.unknown_parent" ||
      (error.code === "consensus.unknown_parent" && inner.parentID !== lastAccepted.id)
    ) {
      return syncError("sync.gap", { ...data, lastHeight: lastAccepted.height, parentID: idText(inner.parentID) })
    }
    return syncError("sync.refused", {
      ...data,
      kind: inner.kind,
      rule: error.code,
      reason: error.avalanchegoMessage,
      ...error.data,
    })
  }
}
