import { expect } from "vitest"
import { faultsInState } from "../../src/core/chain/faultsInState.js"
import type { AnyPrimaryTable, AnyTable } from "../../src/core/state/table.js"
import { allTables } from "../../src/core/state/tables.js"
import type { IndexedView, View } from "../../src/core/state/view.js"
import { bls } from "../../src/platform/backends.js"

/** Checks that tables with the same facts in another order agree. */
export function expectAgreement(view: View): void {
  expect([...faultsInState(view, bls())].filter((fault) => fault !== undefined)).toEqual([])
}

/** Checks that every index has exactly the entries that follow from the rows of its table. */
export function expectIndexes(view: IndexedView): void {
  for (const table of allTables) {
    for (const index of table.indexes) {
      const expected = [...view.rows(table)].flatMap(([key, value]) => [...index.keysOf(table.key.toText(key), value as never)])
      expect([index.table.name, keysOf(view, index.table)]).toEqual([index.table.name, expected.sort()])
    }
  }
}

const keysOf = (view: View, table: AnyTable): string[] =>
  [...view.rows(table as AnyPrimaryTable)].map(([key]) => table.key.toText(key))
