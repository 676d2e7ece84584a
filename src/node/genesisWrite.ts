import { setImmediate } from "node:timers/promises"
import type { Work } from "../core/lib/work.js"
import { explorerTables } from "../core/readmodel/explorer/tables.js"
import type { AnyTable } from "../core/state/table.js"
import { tables } from "../core/state/tables.js"
import { PendingStore } from "../store/pendingStore.js"
import { type CommitGenesis, genesisEdits, genesisEditsInSteps, type NewChain } from "./chainData.js"
import { nodeError } from "./errors.js"
import type { NodeOptions } from "./nodeOptions.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"

/** The minimum number of UTXOs of a genesis that is written after the node listens. Writing them takes a tenth of a second. */
const MANY_UTXOS = 2_000

/** The tables that have rows for the UTXOs of a genesis. All other rows of a genesis are written before its UTXOs. */
export const tablesOfGenesisUtxos: ReadonlySet<AnyTable> = new Set<AnyTable>([
  tables.utxos,
  tables.utxosByOwner,
  explorerTables.untracedOutputs,
  explorerTables.outputsByOwner,
  explorerTables.pastBalances,
])

/** Milliseconds of one slice of the work, after which calls are answered. */
const SLICE = 10

/** Writes a large genesis after the node listens. Calls that need its UTXOs wait; all others are answered at once. */
class GenesisWrite {
  readonly store: PendingStore
  #chain: NewChain | undefined
  #isStopped = false

  constructor(store: PendingStore) {
    this.store = store
  }

  /** Writes a small genesis at once, and serves a large one from memory until it is written. */
  readonly commit: CommitGenesis = (chain, options) => {
    if (chain.genesis.utxos.length < MANY_UTXOS || options.replaceAll) {
      this.store.commit(genesisEdits(chain), options)
      return
    }
    const shown = genesisEdits({ ...chain, genesis: { ...chain.genesis, utxos: [] } })
    this.store.show({ shown, lacking: tablesOfGenesisUtxos, meta: options.meta ?? {} })
    this.#chain = chain
  }

  /** Starts to write the rest. */
  start(): void {
    if (!this.#chain || this.#isStopped) return
    const all = this.#inSlices(genesisEditsInSteps(this.#chain))
    // `written` of the store reports a failure.
    this.store.write(all, () => setImmediate()).catch(() => {})
  }

  /** Stops writing. The rest is computed again at the next start. */
  stop(): void {
    this.#isStopped = true
    this.store.abandon(nodeError("node.stopped"))
  }

  async #inSlices<T>(work: Work<T>): Promise<T> {
    for (;;) {
      await setImmediate()
      if (this.#isStopped) throw nodeError("node.stopped")
      const end = performance.now() + SLICE
      while (performance.now() < end) {
        const { done, value } = work.next()
        if (done) return value
      }
    }
  }
}

/** Opens the write of a genesis that can be written later: that of a private chain with a genesis file. */
export function openGenesisWrite(options: NodeOptions): GenesisWrite | undefined {
  const { store, mode, choice, history, fork, loadState, publish, http } = options
  if (mode !== "dev" || !http || choice.genesisText === undefined) return undefined
  // These begin with other work on the rows of the genesis.
  if (history === "off" || fork || loadState || publish !== undefined) return undefined
  return new GenesisWrite(new PendingStore(store, { tables: nodeTables, tablesBesideChain }))
}
