import { openChainData } from "../../chaindata/chainData.js"
import { nodeError } from "../../chaindata/errors.js"
import type { OpenStore } from "../../chaindata/openStore.js"
import { openToRead } from "../../chains/fork/openToRead.js"
import { heightOf } from "../../core/state/tables.js"
import { blockLines, type ExportRow, type ExportTable, exportTables } from "./exportRows.js"

export interface ExportOptions {
  /** The data directory. */
  readonly dataDir: string
  /** The first and the last height; all blocks by default. */
  readonly from?: bigint | undefined
  readonly to?: bigint | undefined
  /** Logs that all rows of a large store are read first, see `OpenStore`. */
  readonly log?: OpenStore["log"]
}

/** The form of an export: lines, or rows with columns. */
export type Export =
  | { readonly kind: "lines"; readonly lines: Iterable<string> }
  | { readonly kind: "rows"; readonly columns: ExportTable["columns"]; readonly rows: Iterable<ExportRow> }

/**
 * Reads a part of the chain in a directory at one moment, also while a node runs. `use` is called once. Throws `store.*`,
 * `node.future_height`.
 */
export async function exportChain(what: string, options: ExportOptions, use: (found: Export) => Promise<void>): Promise<void> {
  const store = await openToRead(options.dataDir, options.log)
  const view = store.view()
  try {
    const { rules } = openChainData(store, { now: 0n })
    const tip = heightOf(view)
    const range = { from: options.from ?? 0n, to: options.to ?? tip }
    if (range.to > tip) throw nodeError("node.future_height", { height: range.to, lastAccepted: tip })
    // An export that continues behind the last block finds nothing yet.
    if (range.from > tip + 1n) throw nodeError("node.future_height", { height: range.from, lastAccepted: tip })
    const table = exportTables[what]
    await use(
      table
        ? { kind: "rows", columns: table.columns, rows: table.rows(view, range, rules) }
        : { kind: "lines", lines: blockLines(view, store, range) },
    )
  } finally {
    view.release()
    await store.close()
  }
}
