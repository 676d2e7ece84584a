import type { RootDatabase } from "lmdb"
import { type AnyTable, type Index, listedIn } from "../core/state/table.js"
import type { LmdbMeta } from "./lmdbMeta.js"
import type { LmdbTable } from "./lmdbTable.js"
import type { OpenTables } from "./lmdbView.js"
import { SCHEMA } from "./meta.js"
import { type OnPart, partsOf } from "./rebuildIndexes.js"

/** The oldest schema that can be upgraded. */
export const OLDEST_SCHEMA = 1

/** A step from an older schema: indexes to rebuild from their rows, and tables that are no longer read. */
interface SchemaStep {
  readonly schema: number
  /** True if the read model must be rebuilt. */
  readonly resetsReadModel: boolean
  readonly rebuilds: readonly string[]
  readonly drops: readonly string[]
}

/** One step for each schema after the first. */
const steps: readonly SchemaStep[] = [
  // The old index of UTXOs by owner had nothing of the UTXO, and validator sets were stored whole.
  { schema: 2, resetsReadModel: true, rebuilds: [], drops: ["utxosByAddress", "setCheckpoints"] },
  // The old index had UTXOs as texts under each owner, and validator sets as texts.
  { schema: 3, resetsReadModel: true, rebuilds: ["utxosByOwner"], drops: ["ownedUtxos", "setEras"] },
  // Rows may be in the second database of their table, where an older version would not find them.
  { schema: 4, resetsReadModel: false, rebuilds: [], drops: [] },
]

/** Returns the schema from which a store must be upgraded; `undefined` if it has this one. */
export function outdatedSchema(meta: LmdbMeta): number | undefined {
  const schema = meta.get("schema")
  return meta.get("upgradingFrom") ?? (schema === SCHEMA ? undefined : schema)
}

/**
 * Marks a store before it is upgraded. Older versions refuse it from then on, and this one begins
 * again after a kill. A read model that must be rebuilt counts as missing from then on. It must be called inside a transaction.
 */
export function markUpgrade(meta: LmdbMeta, from: number): void {
  const resetsReadModel = stepsFrom(from).some((step) => step.resetsReadModel)
  meta.put({ schema: SCHEMA, upgradingFrom: from, ...(resetsReadModel ? { readModel: undefined } : {}) })
}

const stepsFrom = (from: number): readonly SchemaStep[] => steps.filter(({ schema }) => schema > from)

/** Upgrades a marked store, part by part. The last part removes the mark. */
export function upgrade(root: RootDatabase, tables: OpenTables, meta: LmdbMeta, onPart: OnPart): void {
  const from = meta.get("upgradingFrom") ?? SCHEMA
  const due = stepsFrom(from)
  const rebuilt = new Set(due.flatMap(({ rebuilds }) => rebuilds))
  for (const table of tables.keys()) {
    for (const index of table.indexes) {
      if (rebuilt.has(index.table.name)) rebuildIndex(root, tables, table, index, onPart)
    }
  }
  root.transactionSync(() => {
    for (const name of due.flatMap(({ drops }) => drops)) drop(root, name)
    meta.put({ upgradingFrom: undefined })
  })
}

function drop(root: RootDatabase, name: string): void {
  root.openDB(name, { encoding: "binary", keyEncoding: "binary" }).dropSync()
}

/** Clears an index, and lists all rows of its table in it. */
function rebuildIndex(root: RootDatabase, tables: OpenTables, table: AnyTable, index: Index<unknown>, onPart: OnPart): void {
  const [source, target] = [tables.get(table), tables.get(index.table)] as [LmdbTable, LmdbTable]
  root.transactionSync(() => target.clear())
  const total = source.size
  let done = 0
  for (const rows of partsOf(source)) {
    const listed = new Map<string, unknown>()
    for (const [key, { value }] of rows) {
      const entry = listedIn(index, value)
      for (const each of index.keysOf(key, value)) listed.set(each, entry)
    }
    root.transactionSync(() => {
      for (const each of [...listed.keys()].sort()) target.put(each, listed.get(each))
    })
    done += rows.size
    onPart(done, total)
  }
}
