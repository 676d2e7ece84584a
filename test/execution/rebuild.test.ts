import { expect, test } from "vitest"
import { clearExplorer, followChain } from "../../src/core/readmodel/explorer/projectExplorer.js"
import { rebuildReadModel } from "../../src/core/readmodel/fold.js"
import { historyGap } from "../../src/core/readmodel/historyGap.js"
import { readModelTables } from "../../src/core/readmodel/index.js"
import { readTables } from "../../src/core/readmodel/tables.js"
import { type AnyTable, isPrimary } from "../../src/core/state/table.js"
import type { View } from "../../src/core/state/view.js"
import { faultsInReadModel } from "../../src/datadir/faultsInReadModel.js"
import { nodeTables } from "../../src/datadir/nodeTables.js"
import { allRows } from "../../src/store/maintenance/copyRows.js"
import { readStore } from "../fixtures/readModel.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { privateEras } from "./random/eras.js"
import { PrivateRandomChain } from "./random/privateChain.js"

/** Segments begin where a rebuild walks back to, so they differ; other tests compare what they say. */
const APART: readonly AnyTable[] = [readTables.setProgress, readTables.setSegments]

const rowsOf = (view: View): Record<string, unknown> =>
  Object.fromEntries(
    readModelTables
      .filter(isPrimary)
      .filter((table) => !APART.includes(table))
      .map((table) => [table.name, [...view.rows(table)].map(([key, row]) => [table.key.toText(key), row])]),
  )

const first = seed("rebuilt random chains")

for (let i = 0; i < attempts(25, 5); i++) {
  const [era, upgrades, shapes] = privateEras[i % privateEras.length]!
  test(`private random chain ${i} ${era} has after every block the rows that a rebuild gives`, async () => {
    const made = new PrivateRandomChain(new Random(first + i), upgrades, shapes)
    const { store, genesis } = made.chain
    await made.grow(30, (step) => {
      expect(historyGap(store.latest)).toBeUndefined()
      expect([...faultsInReadModel(store.latest, made.chain)].filter((fault) => fault !== undefined)).toEqual([])
      const rebuilt = readStore()
      rebuilt.commit(allRows(store.latest, nodeTables))
      rebuildReadModel(rebuilt, genesis)
      clearExplorer(rebuilt)
      for (const _ of followChain(rebuilt, { genesis }));
      expect([step, rowsOf(rebuilt.latest)]).toEqual([step, rowsOf(store.latest)])
    })
    expect([...made.occurred].filter(([, times]) => times === 0)).toEqual([])
  })
}
