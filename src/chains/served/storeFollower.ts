import { nodeError } from "../../chaindata/errors.js"
import { blockAt } from "../../core/blocks/acceptedBlocks.js"
import type { Block } from "../../core/blocks/block.js"
import { Invalid } from "../../core/lib/invalid.js"
import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import type { ID } from "../../core/types/id.js"
import type { NodeHooks } from "../../node/faults.js"
import { devTables } from "../../producer/tables.js"
import { SCHEMA } from "../../store/meta.js"
import type { Store } from "../../store/store.js"

/** Interval in milliseconds at which a store is checked for changes. */
const POLL_MILLISECONDS = 25

/** Number of the last blocks that are remembered. If the chain is reverted further, the follower reports a revert to genesis. */
const REMEMBERED = 4096

/** The maximum number of new blocks that are reported one by one. Readers find the others in the store. */
const MAX_BLOCK_EVENTS = 256

export interface StoreFollowerOptions extends Pick<NodeHooks, "reportFault" | "stateChanged"> {
  readonly store: Store
  /** True if LMDB can register a reader. If it cannot, reading while another process writes is not safe. */
  readonly isSignedIn: boolean
  /** Called once with the reason when the chain in the directory is no longer the one that was opened. */
  onLost(error: Error): void
}

type SeenBlock = Pick<Block, "id" | "height">

/** Follows a chain that another process extends. It checks the store at intervals, and reports every change. */
export class StoreFollower {
  readonly #options: StoreFollowerOptions
  readonly #genesisID: ID | undefined
  readonly #seen: SeenBlock[]
  #timer: NodeJS.Timeout | undefined
  #version: number
  /** Number of overrides of a private chain that were seen. */
  #overrides = 0n

  constructor(options: StoreFollowerOptions) {
    const { store } = options
    this.#options = options
    this.#version = store.version()
    this.#genesisID = store.getMeta("genesisID")
    this.#seen = [requireLast(store.latest)]
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

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Reports the changes since the last check. */
  poll(): void {
    const { store } = this.#options
    try {
      const version = store.version()
      if (version === this.#version) return
      this.#version = version
      this.#requireSameChain()
      const view = store.view()
      try {
        this.#follow(view)
      } finally {
        view.release()
      }
    } catch (error) {
      if (error instanceof Invalid) {
        this.stop()
        this.#options.onLost(error)
      } else this.#options.reportFault(error, "report of a change of the chain")
    }
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
    const before = this.#seen.at(-1) as SeenBlock
    if (this.#countOverrides(view) || now.id === before.id) this.#options.stateChanged({ kind: "override" })
    if (now.id === before.id) return
    const common = this.#commonWith(view)
    if (common.id !== before.id) this.#options.stateChanged({ kind: "revert", ...common })
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
    this.#seen.push({ id: block.id, height })
    if (this.#seen.length > REMEMBERED) this.#seen.shift()
    this.#options.stateChanged({ kind: "block", block })
  }

  /** Returns the last known block that is still in the store, and forgets those after it. */
  #commonWith(view: View): SeenBlock {
    for (;;) {
      const last = this.#seen.at(-1)
      if (last === undefined) break
      if (view.get(tables.blockIDs, last.height) === last.id) return last
      this.#seen.pop()
    }
    const genesis = { id: view.get(tables.blockIDs, 0n) ?? requireLast(view).id, height: 0n }
    this.#seen.push(genesis)
    return genesis
  }
}

function requireLast(view: View): SeenBlock {
  const last = view.get(tables.lastAccepted, null)
  if (!last) throw new Error("the store has no last accepted block")
  return last
}
