import { describe, expect, test } from "vitest"
import { attempts, Random } from "../../test/fuzz/random.js"
import { allTables, tables } from "../core/state/tables.js"
import { faultsIn } from "./maintenance/check.js"
import { stateHash } from "./maintenance/stateHash.js"
import { addresses, randomChanges, randomUtxo } from "./rows.fixture.js"
import { A, commit, hashNow, type OpenStore, withRows } from "./store.fixture.js"
import type { Store } from "./store.js"

const { utxos, utxosByOwner } = tables

/** The contract of the indexes of a store. */
export function indexContract(name: string, fresh: OpenStore): void {
  describe(`${name}, its indexes`, () => {
    const listed = (store: Store) => [...store.latest.rows(utxosByOwner)].map(([key]) => [key.owner, key.utxoID])

    test("follow a row that is added, changed and deleted", () => {
      const [one, two, three] = addresses
      const utxo = randomUtxo(new Random(1))
      const store = withRows(fresh(), [[utxos, A, { ...utxo, output: outputTo([one!, two!]) }]])
      expect(listed(store)).toEqual([
        [one, A],
        [two, A],
      ])
      withRows(store, [[utxos, A, { ...utxo, output: outputTo([two!, three!]) }]])
      expect(listed(store)).toEqual([
        [two, A],
        [three, A],
      ])
      commit(store, (diff) => diff.delete(utxos, A))
      expect(listed(store)).toEqual([])
    })

    test("list the present value of a row that keeps its key", () => {
      const [address] = addresses
      const utxo = { ...randomUtxo(new Random(1)), output: outputTo([address!]) }
      const store = withRows(fresh(), [[utxos, A, utxo]])
      withRows(store, [[utxos, A, { ...utxo, outputIndex: 7 }]])
      const expected = [
        [
          { owner: address, utxoID: A },
          { ...utxo, outputIndex: 7 },
        ],
      ]
      expect([...store.latest.rows(utxosByOwner)]).toEqual(expected)
    })

    test("agree with the rows after any changes, snapshots and reverts", () => {
      const random = new Random(11)
      const store = fresh()
      const model = new Map<string, string>()
      for (let step = 0; step < attempts(1000, 25); step++) {
        const chance = random.below(10)
        if (chance === 0) model.set(`${store.snapshot()}`, hashNow(store))
        if (chance === 1 && store.snapshots.length > 0) {
          const number = random.pick(store.snapshots)
          store.revert(number)
          expect(hashNow(store)).toBe(model.get(`${number}`))
        }
        const diff = randomChanges(random, store.latest, random.below(12))
        const expected = stateHash(diff, allTables)
        store.commit(diff.edits)
        expect(hashNow(store)).toBe(expected)
        expect(faultsIn(store.latest, allTables)).toEqual([])
      }
    })
  })
}

function outputTo(owners: readonly (typeof addresses)[number][]) {
  return { kind: "TransferOutput", amount: 1n, locktime: 0n, threshold: 1, addresses: owners } as const
}
