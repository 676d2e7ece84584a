import { type AnyPrimaryTable, type AnyTable, isPrimary } from "../../core/state/table.js"
import type { Edit, Edits, PrimaryEdits, Snapshot, View } from "../../core/state/view.js"
import { type Meta, metaValues } from "../meta.js"
import type { Store, StoreTables } from "../store.js"
import { type BackupOptions, writeBackup } from "./backup.js"

/** The number of rows that are written at a time. */
const PART_ROWS = 10_000

/** The meta values that describe how a store holds its rows. */
const OWN_VALUES: readonly string[] = ["schema", "secondPlaces", "repair", "hiddenTables", "fork"]

/** Writes the rows of a store into a new store in a directory, part by part. */
export async function backupOf(store: Store, tables: Required<StoreTables>, dir: string, options: BackupOptions): Promise<void> {
  const { openLmdbStore } = await import("../lmdb/openLmdbStore.js")
  const view = store.view()
  try {
    await writeBackup(
      dir,
      async (part) => {
        const copy = openLmdbStore({ dir: part, ...tables })
        const names = Object.keys(metaValues).filter((name) => !OWN_VALUES.includes(name)) as (keyof Meta)[]
        const meta = Object.fromEntries(names.map((name) => [name, store.getMeta(name)]))
        await copy.load(partsOf(view, [...tables.tables, ...tables.tablesBesideChain]), { meta: () => meta })
        await copy.close()
      },
      options,
    )
  } finally {
    view.release()
  }
}

async function* partsOf(view: Snapshot, tables: readonly AnyTable[]): AsyncIterable<Edits> {
  for (const table of tables.filter(isPrimary)) {
    let rows = new Map<string, Edit>()
    for (const [key, value] of view.rows(table)) {
      rows.set(table.key.toText(key), { value, isNew: true })
      if (rows.size < PART_ROWS) continue
      yield new Map([[table, rows]])
      rows = new Map()
    }
    yield new Map([[table, rows]])
  }
}

/** Returns every row of these tables as a commit into an empty store. Index tables are omitted, because the store derives them. */
export function allRows(view: View, tables: readonly AnyTable[]): PrimaryEdits {
  const edits = new Map<AnyPrimaryTable, Map<string, Edit>>()
  for (const table of tables.filter(isPrimary)) {
    const rows = new Map<string, Edit>()
    for (const [key, value] of view.rows(table)) rows.set(table.key.toText(key), { value, isNew: true })
    if (rows.size > 0) edits.set(table, rows)
  }
  return edits
}
