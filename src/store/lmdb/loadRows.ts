import type { AnyTable } from "../../core/state/table.js"
import type { Edits } from "../../core/state/view.js"
import { indexEdits, tablesOf } from "../indexes.js"
import type { LoadOptions } from "../store.js"
import type { LmdbConnection } from "./lmdbConnection.js"
import type { LmdbTable } from "./lmdbTable.js"
import { LmdbView } from "./lmdbView.js"
import type { LmdbWriter } from "./lmdbWriter.js"
import { openOtherPlaces, placesText, secondPlacesIn } from "./tablePlaces.js"

/**
 * Replaces all rows by the rows of these parts. Each part is a commit into databases that are not read, so memory does not grow with the
 * state; the last commit makes them the tables. After a kill the old or the new rows are there.
 */
export async function loadRows(
  connection: LmdbConnection,
  writer: LmdbWriter,
  parts: AsyncIterable<Edits>,
  { keeps = [], check, meta = () => ({}) }: LoadOptions,
): Promise<void> {
  const kept = new Set(tablesOf({ tablesBesideChain: keeps }))
  const replaced = [...connection.tables.keys()].filter((table) => !kept.has(table))
  const staged = stage(connection, writer, replaced)
  try {
    for await (const edits of parts) {
      const rows = [...edits, ...indexEdits(edits, () => undefined)]
      writer.commit({ rows: rows.map(([table, changes]) => [requireStaged(staged, table), changes]) })
    }
    await check?.(new LmdbView(new Map([...connection.tables, ...staged]), undefined, undefined))
    const secondPlaces = placesAfter(connection, replaced)
    const cleared = replaced.flatMap((table) => connection.tables.get(table) ?? [])
    writer.commit({ cleared, meta: { ...meta(), secondPlaces } })
    connection.movedTo(secondPlaces)
  } catch (error) {
    unstage(connection, writer, replaced)
    throw error
  }
}

type StagedTables = ReadonlyMap<AnyTable, LmdbTable>

/** Opens and clears the databases into which the rows are loaded. */
function stage(connection: LmdbConnection, writer: LmdbWriter, tables: readonly AnyTable[]): StagedTables {
  let staged: StagedTables = new Map()
  writer.commit({
    begin() {
      staged = openOtherPlaces(connection.root, connection.meta.get("secondPlaces"), tables)
      for (const table of staged.values()) if (table.size > 0) table.clear()
    },
  })
  return staged
}

/** Frees the pages of a failed load. If even that fails, the next load or start does it. */
function unstage(connection: LmdbConnection, writer: LmdbWriter, tables: readonly AnyTable[]): void {
  try {
    stage(connection, writer, tables)
  } catch {
    // The failure that ended the load is thrown.
  }
}

function requireStaged(staged: StagedTables, table: AnyTable): LmdbTable {
  const found = staged.get(table)
  if (!found) throw new Error(`rows of ${table.name} were loaded, which are kept or not of this store`)
  return found
}

/** Returns the places of the rows after these tables have moved, in the form of the meta value `secondPlaces`. */
function placesAfter(connection: LmdbConnection, moved: readonly AnyTable[]): string {
  const second = new Set(secondPlacesIn(connection.meta.get("secondPlaces")))
  for (const { name } of moved) if (!second.delete(name)) second.add(name)
  return placesText(second)
}
