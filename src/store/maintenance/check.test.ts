import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { Diff } from "../../core/state/diff.js"
import { allTables, tables } from "../../core/state/tables.js"
import { idOfByte } from "../../core/state/view.contract.js"
import { MemoryStore } from "../memory/memoryStore.js"
import { addresses, randomChanges, randomUtxo } from "../rows.fixture.js"
import { faultsIn } from "./check.js"

const A = idOfByte("0a")
const address = addresses[0]!
const owned = {
  ...randomUtxo(new Random(1)),
  output: { kind: "TransferOutput", amount: 1n, locktime: 0n, threshold: 1, addresses: [address] },
} as const

test("indexes that agree with their rows have no faults, and every row is looked at", () => {
  const store = new MemoryStore()
  store.commit(randomChanges(new Random(1), store.latest, 100).edits)
  let rows = 0
  expect(faultsIn(store.latest, allTables, () => rows++)).toEqual([])
  expect(rows).toBe(Object.values(store.statistics().rows).reduce((sum, each) => sum + each, 0))
})

const PLACE = `utxosByOwner has under \\{"owner":"${address}","utxoID":"${A}"\\}`

/** Shows a diff as a view with indexes, which it has as far as a test has put rows into them. */
const indexed = (diff: Diff) => Object.assign(diff, { hasIndexes: true as const })

test("a row that no index leads to, and an index that leads to no row, are found", () => {
  const lacking = new Diff(new MemoryStore().latest)
  lacking.put(tables.utxos, A, owned)
  expect(faultsIn(indexed(lacking), [tables.utxos])).toEqual([
    expect.stringMatching(new RegExp(`^${PLACE} no row, and utxos gives \\{.*, up to block 0$`)),
  ])
  const stale = new Diff(new MemoryStore().latest)
  stale.put(tables.utxosByOwner as never, { owner: address, utxoID: A }, owned)
  expect(faultsIn(indexed(stale), [tables.utxos])).toEqual([
    expect.stringMatching(new RegExp(`^${PLACE} \\{.*, and utxos gives no row, up to block 0$`)),
  ])
})

test("an index that lists something else than the row has is found", () => {
  const store = new MemoryStore()
  const diff = new Diff(store.latest)
  diff.put(tables.utxos, A, owned)
  store.commit(diff.edits)
  const wrong = new Diff(store.latest)
  wrong.put(tables.utxosByOwner as never, { owner: address, utxoID: A }, { ...owned, outputIndex: owned.outputIndex + 1 })
  expect(faultsIn(indexed(wrong), [tables.utxos])).toEqual([
    expect.stringMatching(new RegExp(`^${PLACE} \\{.*, and utxos gives \\{.*, up to block 0$`)),
  ])
})
