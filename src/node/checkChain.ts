import { READ_MODEL_VERSION, readModelTables } from "../core/readmodel/index.js"
import { tables } from "../core/state/tables.js"
import type { Store } from "../store/store.js"
import { openChainData } from "./chainData.js"
import { checkBlocks } from "./checkBlocks.js"
import { checkReplay } from "./checkReplay.js"
import { nodeTables } from "./nodeTables.js"
import { checkRows } from "./summary.js"

/** One part of a check: what is counted, and how much of it there is. */
export interface CheckPart {
  readonly unit: "pages" | "pages copied" | "rows" | "blocks" | "blocks executed"
  readonly total: number
}

/** Options of checking a chain. */
export interface ChainCheck {
  /** Executes the blocks anew, too, with a store in this directory, which the caller removes. */
  readonly deepIn?: string | undefined
  /** Called as each part begins; what it returns is called for each of its pieces. */
  begin(part: CheckPart): () => void
}

/**
 * Reads all of a store: every page, every row with the indexes over it, and every block with its hash and its parent; if it is to be
 * deep, the blocks are executed anew and must give the same rows, those for answers too. Throws `store.damaged` and `node.damaged`.
 */
export async function checkChain(store: Store, { deepIn, begin }: ChainCheck): Promise<void> {
  const { bytes, rows } = store.statistics()
  store.checkPages(begin({ unit: "pages", total: Math.floor(bytes / 4096) }))
  const view = store.view()
  try {
    // Rows for answers that another version made are made anew when the chain is served.
    const hasReadModel = store.getMeta("readModel") === READ_MODEL_VERSION
    const checked = nodeTables.filter((table) => hasReadModel || !readModelTables.includes(table))
    checkRows(view, begin({ unit: "rows", total: Object.values(rows).reduce((sum, count) => sum + count, 0) }), checked)
    const data = openChainData(store, { now: 0n })
    const blocks = Number(view.get(tables.lastAccepted, null)?.height ?? 0n) + 1
    checkBlocks(view, data.genesis.block.id, begin({ unit: "blocks", total: blocks }))
    if (deepIn !== undefined) {
      const onBlock = begin({ unit: "blocks executed", total: blocks })
      await checkReplay(view, { data, hasReadModel, scratch: deepIn, onBlock })
    }
  } finally {
    view.release()
  }
}
