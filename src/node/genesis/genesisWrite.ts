import { setImmediate } from "node:timers/promises"
import { applyGenesis } from "../../core/genesis/apply.js"
import type { Genesis } from "../../core/genesis/genesis.js"
import type { Work } from "../../core/lib/work.js"
import { explorerTables } from "../../core/readmodel/explorer/tables.js"
import { projectGenesisInSteps } from "../../core/readmodel/fold.js"
import { readModelTables } from "../../core/readmodel/index.js"
import { Diff } from "../../core/state/diff.js"
import { emptyView } from "../../core/state/emptyView.js"
import type { AnyTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import type { Edits } from "../../core/state/view.js"
import { PendingStore } from "../../store/pendingStore.js"
import { type CommitGenesis, genesisEdits, genesisEditsInSteps, type NewChain } from "../chainData.js"
import { nodeError } from "../errors.js"
import type { NodeOptions } from "../nodeOptions.js"
import { nodeTables, tablesBesideChain } from "../nodeTables.js"

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

/** The tables whose rows are computed after the node listens. For 1,500 validators that takes a quarter of a second. */
const tablesOfReadModel: ReadonlySet<AnyTable> = new Set<AnyTable>([...tablesOfGenesisUtxos, ...readModelTables])

/**
 * Writes a large genesis after the node listens. Calls that need its UTXOs wait until it is written, and calls that need the read model
 * wait until its other rows are computed. All other calls are answered at once.
 */
class GenesisWrite {
  readonly store: PendingStore
  #begun: BegunGenesis | undefined
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
    const first = new Diff(emptyView)
    applyGenesis(first, withoutUtxos(chain.genesis), chain.rules)
    this.store.show({ shown: first.edits, lacking: tablesOfReadModel, meta: options.meta ?? {} })
    this.#begun = { chain, first }
  }

  /** Starts to write the rest. */
  start(): void {
    if (!this.#begun || this.#isStopped) return
    // `written` of the store reports a failure.
    this.store.write(this.#rowsOf(this.#begun), () => setImmediate()).catch(() => {})
  }

  /** Computes the rows of the read model that no UTXO changes, which are shown at once, and then all rows. */
  async #rowsOf({ chain, first }: BegunGenesis): Promise<Edits> {
    const shown = first.edits
    await this.#inSlices(projectGenesisInSteps(first, withoutUtxos(chain.genesis)))
    this.store.showMore(new Map([...first.edits].filter(([table]) => !shown.has(table))), tablesOfGenesisUtxos)
    return this.#inSlices(genesisEditsInSteps(chain))
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

/** A genesis that is shown and not written yet. */
interface BegunGenesis {
  readonly chain: NewChain
  /** The rows that are shown, to which those of the read model are added. */
  readonly first: Diff
}

const withoutUtxos = (genesis: Genesis): Genesis => ({ ...genesis, utxos: [] })

/** Opens the write of a genesis that can be written later: that of a private chain with a genesis file. */
export function openGenesisWrite(options: NodeOptions): GenesisWrite | undefined {
  const { store, mode, choice, history, fork, loadState, publish, http } = options
  if (mode !== "dev" || !http || choice.genesisText === undefined) return undefined
  // These begin with other work on the rows of the genesis.
  if (history === "off" || fork || loadState || publish !== undefined) return undefined
  return new GenesisWrite(new PendingStore(store, { tables: nodeTables, tablesBesideChain }))
}
