import { blockAt } from "../../core/blocks/acceptedBlocks.js"
import { Invalid } from "../../core/lib/invalid.js"
import { type BlockPlace, hasBlock, partingFrom } from "../../core/state/removedBlocks.js"
import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import type { ID } from "../../core/types/id.js"
import { nodeError } from "../../datadir/errors.js"
import type { NodeHooks } from "../../node/nodeChain.js"
import { devTables } from "../../producer/tables.js"
import { SCHEMA } from "../../store/meta.js"
import type { Store } from "../../store/store.js"

/** Interval in milliseconds at which a store is checked for changes. */
const POLL_MILLISECONDS = 25

/** The maximum number of new blocks that are reported one by one. Readers find the others in the store. */
const MAX_BLOCK_EVENTS = 256

export interface StoreFollowerOptions extends Pick<NodeHooks, "reportFault" | "stateChanged"> {
  readonly store: Store
  /** True if LMDB can register a reader. If it cannot, reading while another process writes is not safe. */
  readonly isSignedIn: boolean
  /** Called once with the reason when the chain in the directory is no longer the one that was opened. */
  onLost(error: Error): void
}

/** Follows a chain that another process extends. It checks the store at intervals, and reports every change. */
export class StoreFollower {
  readonly #options: StoreFollowerOptions
  readonly #genesisID: ID | undefined
  /** The last block that was reported. */
  #seen: BlockPlace
  #timer: NodeJS.Timeout | undefined
  #version: number
  #problem: Error | undefined
  /** Number of overrides of a private chain that were seen. */
  #overrides = 0n

  constructor(options: StoreFollowerOptions) {
    const { store } = options
    this.#options = options
    this.#version = store.version()
    this.#genesisID = store.getMeta("genesisID")
    this.#seen = requireLast(store.latest)
    this.#countOverrides(store.latest)
  }

  start(): void {
    this.#timer = setInterval(() => this.poll(), POLL_MILLISECONDS)
    this.#timer.unref()
  }

  /** Returns the number of the state that was reported last, after it has checked for a newer one. */
  version(): number {
    this.poll()
    return this.#version
  }

  /** The reason why the last changes could not be reported yet. */
  get problem(): Error | undefined {
    return this.#problem
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Reports the changes since the last check. Those that could not be read are due at the next check. */
  poll(): void {
    const { store } = this.#options
    try {
      const version = store.version()
      if (version === this.#version) return
      this.#requireSameChain()
      const view = store.view()
      try {
        this.#follow(view)
      } finally {
        view.release()
      }
      this.#version = version
      this.#problem = undefined
    } catch (error) {
      if (error instanceof Invalid) {
        this.stop()
        this.#options.onLost(error)
      } else this.#failed(error as Error)
    }
  }

  /** A problem that lasts is reported once. */
  #failed(problem: Error): void {
    if (this.#problem?.message !== problem.message) this.#options.reportFault(problem, "report of a change of the chain")
    this.#problem = problem
  }

  #requireSameChain(): void {
    const { store, isSignedIn } = this.#options
    if (!isSignedIn) throw nodeError("node.unsafe_reader")
    const schema = store.getMeta("schema")
    if (schema !== SCHEMA) throw nodeError("node.other_version", { schema, known: SCHEMA })
    if (store.getMeta("genesisID") !== this.#genesisID) throw nodeError("node.other_genesis")
  }

  #follow(view: View): void {
    const now = requireLast(view)
    const before = this.#seen
    if (this.#countOverrides(view) || now.id === before.id) this.#options.stateChanged({ kind: "override" })
    if (now.id === before.id) return
    const common = this.#commonWith(view)
    if (common.id !== before.id) {
      this.#options.stateChanged({ kind: "revert", ...common })
      this.#seen = common
    }
    const from = now.height - common.height > MAX_BLOCK_EVENTS ? now.height - BigInt(MAX_BLOCK_EVENTS) : common.height
    for (let height = from + 1n; height <= now.height; height++) this.#accepted(view, height)
  }

  /** Returns whether overrides were added or removed since they were counted last. They are numbered without gaps. */
  #countOverrides(view: View): boolean {
    const before = this.#overrides
    const has = (position: bigint) => view.get(devTables.overrides, position) !== undefined
    while (this.#overrides > 0n && !has(this.#overrides - 1n)) this.#overrides--
    while (has(this.#overrides)) this.#overrides++
    return this.#overrides !== before
  }

  #accepted(view: View, height: bigint): void {
    const block = blockAt(view, height)
    if (!block) throw new Error(`the store has no block of height ${height}`)
    this.#options.stateChanged({ kind: "block", block })
    this.#seen = { id: block.id, height }
  }

  /** Returns the last block that was reported and is still in the store, or genesis if the other process no longer knows it. */
  #commonWith(view: View): BlockPlace {
    const known = this.#options.store.getMeta("removedBlocks") ?? []
    const genesis = { height: 0n, id: view.get(tables.blockIDs, 0n) ?? requireLast(view).id }
    return partingFrom(this.#seen, hasBlock(view), known)?.common ?? genesis
  }
}

function requireLast(view: View): BlockPlace {
  const last = view.get(tables.lastAccepted, null)
  if (!last) throw new Error("the store has no last accepted block")
  return last
}
