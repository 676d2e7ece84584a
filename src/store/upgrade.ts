import type { RootDatabase } from "lmdb"
import { type AnyTable, type Index, listedIn } from "../core/state/table.js"
import type { LmdbMeta } from "./lmdbMeta.js"
import type { LmdbTable } from "./lmdbTable.js"
import type { OpenTables } from "./lmdbView.js"
import { SCHEMA } from "./meta.js"
import { partsOf } from "./rebuildIndexes.js"

/** The oldest schema that can be upgraded. */
export const OLDEST_SCHEMA = 1

/** Step from an older schema: indexes to rebuild from their rows, and tables that are no longer read. */
interface SchemaStep {
  readonly schema: number
  /** Whether the read model has to be made anew. */
  readonly resetsReadModel: boolean
  readonly rebuilds: readonly string[]
  readonly drops: readonly string[]
}

/** One step for each schema that has had an older one. */
const steps: readonly SchemaStep[] = [
  // UTXOs by owner without anything of the UTXO, and whole validator sets.
  { schema: 2, resetsReadModel: true, rebuilds: [], drops: ["utxosByAddress", "setCheckpoints"] },
  // UTXOs by owner as texts under each owner, and validator sets as texts.
  { schema: 3, resetsReadModel: true, rebuilds: ["utxosByOwner"], drops: ["ownedUtxos", "setEras"] },
  // Rows may lie in the second database of their table, where an older version would not look for them.
  { schema: 4, resetsReadModel: false, rebuilds: [], drops: [] },
]

/** Called after each part: with how many rows of a table are done, and how many it has. */
export type OnPart = (done: number, of: number) => void

/** The schema that a store must be upgraded from; `undefined` if it is of this one. */
export function outdatedSchema(meta: LmdbMeta): number | undefined {
  const schema = meta.get("schema")
  return meta.get("upgradingFrom") ?? (schema === SCHEMA ? undefined : schema)
}

/**
 * Marks a store that is going to be upgraded, before anything in it changes: older versions refuse it from then on, and this one begins again
 * after a kill. A read model that has to be made anew counts as missing from then on. Inside a transaction.
 */
export function markUpgrade(meta: LmdbMeta, from: number): void {
  const resetsReadModel = stepsFrom(from).some((step) => step.resetsReadModel)
  meta.put({ schema: SCHEMA, upgradingFrom: from, ...(resetsReadModel ? { readModel: undefined } : {}) })
}

const stepsFrom = (from: number): readonly SchemaStep[] => steps.filter(({ schema }) => schema > from)

/** Upgrades a store that was marked, part by part; the mark goes with the last one. */
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

/** Empties an index, and lists all rows of its table in it. */
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
