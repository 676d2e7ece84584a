import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { bytes } from "../core/codec/primitives.js"
import { Diff } from "../core/state/diff.js"
import { hexKey } from "../core/state/key.js"
import { table } from "../core/state/table.js"
import { allTables, tables } from "../core/state/tables.js"
import { idOfByte, type Row } from "../core/state/view.contract.js"
import type { View } from "../core/state/view.js"
import { stateHash } from "./maintenance/stateHash.js"
import type { Store, StoreTables } from "./store.js"

/** Rows that do not belong to the chain. */
export const users = table("users", hexKey<string>(1), bytes)

/** IDs of rows, in their order. */
export const A = idOfByte("0a")
export const B = idOfByte("0b")
export const C = idOfByte("0c")

/** Makes a directory that is removed after the test. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "serac-store-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Closes a store after the test. */
export function closing<S extends Store>(store: S): S {
  onTestFinished(() => store.close())
  return store
}

/** Commits the changes that a function makes to a diff. */
export function commit(store: Store, change: (diff: Diff) => void): void {
  const diff = new Diff(store.latest)
  change(diff)
  store.commit(diff.edits)
}

/** Commits rows to a store; a row whose value is `undefined` is deleted. */
export function withRows(store: Store, rows: readonly Row[]): Store {
  commit(store, (diff) => {
    for (const [table, key, value] of rows) diff.put(table, key, value)
  })
  return store
}

/** Opens an empty store that is closed after the test. */
export type OpenStore = (tables?: StoreTables) => Store

export const suppliesOf = (view: View) => [...view.rows(tables.supplies)]

/** Returns the hash of all rows of a store. */
export const hashNow = (store: Store) => stateHash(store.latest, allTables)
