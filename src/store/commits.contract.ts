import { describe, expect, test } from "vitest"
import { Random } from "../../test/fuzz/random.js"
import { u64 } from "../core/codec/primitives.js"
import { equalBytes } from "../core/lib/bytes.js"
import { Diff } from "../core/state/diff.js"
import { hexKey } from "../core/state/key.js"
import { table } from "../core/state/table.js"
import { allTables, tables } from "../core/state/tables.js"
import type { ID } from "../core/types/id.js"
import { faultsIn } from "./maintenance/check.js"
import { stateHash } from "./maintenance/stateHash.js"
import { addresses, randomID, randomUtxo } from "./rows.fixture.js"
import { A, B, C, commit, hashNow, type OpenStore, suppliesOf, withRows } from "./store.fixture.js"

const { supplies, utxos, utxosByOwner, timestamp } = tables

/** The contract of committing to a store. */
export function commitContract(name: string, fresh: OpenStore): void {
  describe(`${name}, committing`, () => {
    test("a commit is seen at once, in all tables, with its small values", () => {
      const store = fresh()
      const diff = new Diff(store.latest)
      diff.put(supplies, A, 1n)
      diff.put(timestamp, null, 2n)
      store.commit(diff.edits, { meta: { clockOffset: -3n, rules: "{}" } })
      expect([store.latest.get(supplies, A), store.latest.get(timestamp, null)]).toEqual([1n, 2n])
      expect([store.getMeta("clockOffset"), store.getMeta("rules"), store.getMeta("upgrades")]).toEqual([-3n, "{}", undefined])
    })

    test("rows are changed and deleted, and the first row is updated", () => {
      const store = withRows(fresh(), [
        [supplies, A, 1n],
        [supplies, B, 2n],
        [timestamp, null, 3n],
      ])
      expect(store.latest.first(supplies)).toEqual([A, 1n])
      commit(store, (diff) => {
        diff.delete(supplies, A)
        diff.put(supplies, B, 5n)
        diff.put(timestamp, null, 4n)
      })
      expect(store.latest.first(supplies)).toEqual([B, 5n])
      expect([store.latest.get(supplies, A), store.latest.get(timestamp, null)]).toEqual([undefined, 4n])
      commit(store, (diff) => diff.delete(supplies, B))
      expect(store.latest.first(supplies)).toBeUndefined()
    })

    test("deleting an absent row has no effect", () => {
      const store = fresh()
      commit(store, (diff) => diff.delete(supplies, A))
      expect(suppliesOf(store.latest)).toEqual([])
    })

    test("a commit with one row that cannot be written writes none", () => {
      const store = withRows(fresh(), [[supplies, A, 1n]])
      const unknown = table("unknown", hexKey<string>(32), u64)
      const diff = new Diff(store.latest)
      diff.put(supplies, A, 2n)
      diff.put(supplies, B, 2n)
      diff.put(utxos, B, randomUtxo(new Random(1)))
      diff.put(unknown, C, 1n)
      expect(() => store.commit(diff.edits, { meta: { clockOffset: 1n } })).toThrow(/not opened with the table unknown/)
      expect([suppliesOf(store.latest), [...store.latest.rows(utxosByOwner)]]).toEqual([[[A, 1n]], []])
      expect(store.getMeta("clockOffset")).toBeUndefined()
    })

    test("small values are put, changed and removed by themselves", () => {
      const store = fresh()
      store.putMeta({ genesis: new Uint8Array([1, 2]), genesisID: A })
      store.putMeta({ genesisID: B, genesis: undefined })
      expect([store.getMeta("genesis"), store.getMeta("genesisID")]).toEqual([undefined, B])
    })

    test("a value of some megabytes is kept whole", () => {
      const large = new Uint8Array(3 << 20).map((_, i) => i % 251)
      const store = withRows(fresh(), [[tables.blocks, A, large]])
      const found = [store.latest.get(tables.blocks, A), ...[...store.latest.rows(tables.blocks)].map(([, value]) => value)]
      expect(found.map((value) => value && equalBytes(value, large))).toEqual([true, true])
    })

    test("a commit of thousands of rows is as whole as one of a few", () => {
      const store = fresh()
      const random = new Random(8)
      const keys: ID[] = []
      for (let round = 0; round < 2; round++) {
        const diff = new Diff(store.latest)
        for (let i = 0; i < 2500; i++) {
          const key = randomID(random)
          diff.insert(utxos, key, randomUtxo(random))
          keys.push(key)
        }
        for (let i = 0; i < 1000 * round; i++) diff.delete(utxos, random.pick(keys))
        const hash = stateHash(diff, allTables)
        store.commit(diff.edits)
        expect([hashNow(store), faultsIn(store.latest, allTables)]).toEqual([hash, []])
      }
    })

    test("statistics count the rows of every table", () => {
      const utxo = { ...randomUtxo(new Random(1)), output: outputTo(addresses) }
      const { rows } = withRows(fresh(), [
        [utxos, A, utxo],
        [utxos, B, utxo],
      ]).statistics()
      expect(Object.keys(rows).sort()).toEqual(allTables.map((table) => table.name).sort())
      expect([rows.utxos, rows.utxosByOwner, rows.supplies]).toEqual([2, 8, 0])
    })
  })
}

function outputTo(owners: readonly (typeof addresses)[number][]) {
  return { kind: "TransferOutput", amount: 1n, locktime: 0n, threshold: 1, addresses: owners } as const
}
