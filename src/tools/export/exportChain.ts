import { openChainData } from "../../chaindata/chainData.js"
import { nodeError } from "../../chaindata/errors.js"
import type { OpenStore } from "../../chaindata/openStore.js"
import { openToRead } from "../../chains/fork/forkBase.js"
import type { ChainBound } from "../../core/lib/chainBound.js"
import { neverPausing } from "../../core/lib/pace.js"
import { hrpOf } from "../../core/networks/names.js"
import { heightsOf } from "../../core/readmodel/explorer/moments.js"
import { hasExplorerRows } from "../../core/readmodel/explorer/projectExplorer.js"
import { historyGap } from "../../core/readmodel/historyGap.js"
import { pastOf } from "../../core/state/pastReader.js"
import { heightOf } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { parsePChainAddress } from "../../core/types/address.js"
import { blockLines, exportTables } from "./exportRows.js"
import type { ExportTable } from "./exportTable.js"

export interface ExportOptions {
  /** The data directory. */
  readonly dataDir: string
  /** The first and the last block; all blocks by default. */
  readonly from?: ChainBound | undefined
  readonly to?: ChainBound | undefined
  /** The addresses whose rewards or stakes are exported, as text; all by default. */
  readonly addresses?: readonly string[]
  /** Logs that all rows of a large store are read first, see `OpenStore`. */
  readonly log?: OpenStore["log"]
}

/** The form of an export: lines, or rows with columns. */
export type Export =
  | { readonly kind: "lines"; readonly lines: Iterable<string> }
  | { readonly kind: "rows"; readonly columns: ExportTable["columns"]; readonly rows: ReturnType<ExportTable["rows"]> }

/**
 * Reads a part of the chain in a directory at one moment, also while a node runs. `use` is called once. Throws `store.*`,
 * `node.future_height`, `node.no_history`, `types.*` for an address.
 */
export async function exportChain(what: string, options: ExportOptions, use: (found: Export) => Promise<void>): Promise<void> {
  const store = await openToRead(options.dataDir, options.log)
  const view = store.view()
  try {
    const { rules, genesis } = openChainData(store, { now: 0n })
    const tip = heightOf(view)
    requireReached(options.to, tip, tip)
    // An export that continues behind the last block finds nothing yet.
    requireReached(options.from, tip + 1n, tip)
    const heights = await heightsOf(options, pastOf(view, neverPausing), tip)
    const { addresses: texts = [] } = options
    const addresses =
      texts.length === 0 ? undefined : new Set(texts.map((text) => parsePChainAddress(text, hrpOf(rules.networkID))))
    const range = heights ? { from: heights.from ?? 0n, to: heights.to ?? tip } : { from: 1n, to: 0n }
    const part = { ...range, addresses, rules, genesis }
    if (what === "stakes" || addresses) requireHistory(view, range.to)
    const table = exportTables[what]
    await use(
      table
        ? { kind: "rows", columns: table.columns, rows: table.rows(view, part) }
        : { kind: "lines", lines: blockLines(view, store, part) },
    )
  } finally {
    view.release()
    await store.close()
  }
}

function requireReached(bound: ChainBound | undefined, highest: bigint, lastAccepted: bigint): void {
  if (bound?.kind !== "height" || bound.value <= highest) return
  throw nodeError("node.future_height", { height: bound.value, lastAccepted })
}

/** Checks that the tables for explorers include a height. */
function requireHistory(view: View, height: bigint): void {
  const gap = historyGap(view)
  if (gap && height >= gap.height) throw nodeError("node.history_incomplete", { missingFrom: gap.height })
  if (!hasExplorerRows(view, height)) throw nodeError("node.no_history")
}
