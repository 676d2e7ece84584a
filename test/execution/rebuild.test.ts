import { expect, test } from "vitest"
import { AVAX as NAVAX } from "../../src/core/networks/params.js"
import { clearExplorer, followChain } from "../../src/core/readmodel/explorer/projectExplorer.js"
import { rebuildReadModel } from "../../src/core/readmodel/fold.js"
import { readModelTables } from "../../src/core/readmodel/index.js"
import { readTables } from "../../src/core/readmodel/tables.js"
import { type AnyTable, isPrimary } from "../../src/core/state/table.js"
import type { View } from "../../src/core/state/view.js"
import { nodeTables } from "../../src/datadir/nodeTables.js"
import { projectOverride } from "../../src/datadir/projectOverride.js"
import { overrideEdits, sourceIDFor } from "../../src/producer/chain/overrides.js"
import { allRows } from "../../src/store/maintenance/copyRows.js"
import { readStore } from "../fixtures/readModel.js"
import { upgradesThrough } from "../fixtures/state.js"
import { AVAX } from "../fixtures/txs.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { people } from "./random/attempt.js"
import { outputTo } from "./random/draft.js"
import { RandomChain } from "./random/randomChain.js"

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

for (let i = 0; i < attempts(24, 6); i++) {
  const era = (["cortina", "durango", "granite", "helicon"] as const)[i % 4]!
  test(`random chain ${i} under ${era} with overrides has after every block the rows that a rebuild gives`, () => {
    const random = new Random(first + i)
    const chain = new RandomChain(random, upgradesThrough(era))
    const { store, genesis } = chain
    for (let step = 0, overrides = 0; step < 30; step++) {
      if (random.below(3) === 0) {
        // An override makes an output, which the next transactions may spend.
        const owner = random.pick(people)
        const place = { txID: sourceIDFor(store.latest, overrides), outputIndex: 0 }
        const utxo = { ...place, ...outputTo(owner, 9n * NAVAX) }
        store.commit(overrideEdits(store.latest, [{ kind: "utxo", utxo }], overrides++, projectOverride))
        chain.model.add({ ...place, assetID: AVAX, owner, amount: 9n * NAVAX })
      }
      if (chain.step().length === 0) continue
      const rebuilt = readStore()
      rebuilt.commit(allRows(store.latest, nodeTables))
      rebuildReadModel(rebuilt, genesis)
      clearExplorer(rebuilt)
      for (const _ of followChain(rebuilt, { genesis }));
      expect([step, rowsOf(rebuilt.latest)]).toEqual([step, rowsOf(store.latest)])
    }
  })
}
