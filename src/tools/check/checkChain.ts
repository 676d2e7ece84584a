import { openChainData } from "../../chaindata/chainData.js"
import { nodeTables } from "../../chaindata/nodeTables.js"
import { openStore } from "../../chaindata/openStore.js"
import { readModelTables } from "../../core/readmodel/index.js"
import { READ_MODEL_VERSION } from "../../core/readmodel/versions.js"
import { heightOf } from "../../core/state/tables.js"
import type { Store } from "../../store/store.js"
import { checkRows } from "../summary.js"
import { checkBlocks } from "./checkBlocks.js"
import { checkReplay } from "./checkReplay.js"

/** One part of a check: the name of the counted items, and their number. */
export interface CheckPart {
  readonly unit: "pages copied" | "rows" | "blocks" | "blocks executed"
  readonly total: number
}

export interface ChainCheck {
  /** Also executes the blocks again, with a store in this directory, which the caller removes. */
  readonly deepIn?: string | undefined
  /** Called when a part begins. The returned function is called for each piece of the part. */
  begin(part: CheckPart): () => void
}

/**
 * Checks a whole store: the data file, every row with its indexes, and every block with its hash and its parent. With `deepIn` it executes the
 * blocks again and compares the rows, including those of the read model. Throws `store.damaged` and `node.damaged`.
 */
export async function checkChain(store: Store, { deepIn, begin }: ChainCheck): Promise<void> {
  store.checkFile()
  const { rows } = store.statistics()
  const view = store.view()
  try {
    // A read model of another version is rebuilt when the chain is served.
    const hasReadModel = store.getMeta("readModel") === READ_MODEL_VERSION
    const checked = nodeTables.filter((table) => hasReadModel || !readModelTables.includes(table))
    checkRows(view, begin({ unit: "rows", total: Object.values(rows).reduce((sum, count) => sum + count, 0) }), checked)
    const data = openChainData(store, { now: 0n })
    const blocks = Number(heightOf(view)) + 1
    checkBlocks(view, data.genesis.block.id, begin({ unit: "blocks", total: blocks }))
    if (deepIn !== undefined) {
      const onBlock = begin({ unit: "blocks executed", total: blocks })
      await checkReplay(view, { data, hasReadModel, scratch: deepIn, onBlock })
    }
  } finally {
    view.release()
  }
}

/** Opens the store in a directory for reading, checks all of it, and closes it. Throws `store.*` and `node.damaged`. */
export async function checkStore(dir: string, check: ChainCheck): Promise<void> {
  const store = openStore(dir, { readOnly: true })
  try {
    await checkChain(store, check)
  } finally {
    await store.close()
  }
}
