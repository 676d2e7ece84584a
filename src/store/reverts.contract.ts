import { describe, expect, test } from "vitest"
import { attempts, Random } from "../../test/fuzz/random.js"
import { Diff } from "../core/state/diff.js"
import { allTables, tables } from "../core/state/tables.js"
import { faultsIn } from "./maintenance/check.js"
import { randomChanges } from "./rows.fixture.js"
import { A, B, hashNow, type OpenStore, suppliesOf, users, withRows } from "./store.fixture.js"

const { supplies } = tables

/** The contract of snapshots and reverts. */
export function revertContract(name: string, fresh: OpenStore): void {
  describe(`${name}, reverting`, () => {
    test("restores every row and index; the snapshot can be used again, later ones are removed", () => {
      const store = fresh()
      const random = new Random(5)
      const step = () => store.commit(randomChanges(random, store.latest, 30).edits)
      step()
      const early = store.snapshot()
      const hash = hashNow(store)
      for (let i = 0; i < attempts(100, 25); i++) {
        step()
        const late = store.snapshot()
        const lateHash = hashNow(store)
        step()
        step()
        store.revert(late)
        expect(hashNow(store)).toBe(lateHash)
        expect(store.snapshots).toEqual([early, late])
        store.revert(early)
        expect([hashNow(store), faultsIn(store.latest, allTables), store.snapshots]).toEqual([hash, [], [early]])
        expect(() => store.revert(late)).toThrow(expect.objectContaining({ code: "store.unknown_snapshot" }))
      }
    })

    test("restores the oldest value of a row that changed after several snapshots", () => {
      const store = withRows(fresh(), [[supplies, A, 1n]])
      const first = store.snapshot()
      withRows(store, [[supplies, A, 2n]])
      store.snapshot()
      withRows(store, [[supplies, A, 3n]])
      withRows(store, [[supplies, B, 4n]])
      store.revert(first, { clockOffset: 7n })
      expect([suppliesOf(store.latest), store.getMeta("clockOffset")]).toEqual([[[A, 1n]], 7n])
    })

    test("a snapshot can be dropped, and the others lead back as before", () => {
      const store = withRows(fresh(), [[supplies, A, 1n]])
      const first = store.snapshot()
      withRows(store, [[supplies, A, 2n]])
      const second = store.snapshot()
      withRows(store, [
        [supplies, A, 3n],
        [supplies, B, 4n],
      ])
      const third = store.snapshot()
      withRows(store, [[supplies, B, 5n]])
      store.dropSnapshot(second)
      store.dropSnapshot(second)
      expect(store.snapshots).toEqual([first, third])
      expect(() => store.revert(second)).toThrow(expect.objectContaining({ code: "store.unknown_snapshot" }))
      store.revert(third)
      expect(suppliesOf(store.latest)).toEqual([
        [A, 3n],
        [B, 4n],
      ])
      store.revert(first)
      expect(suppliesOf(store.latest)).toEqual([[A, 1n]])
    })

    test("to an unknown snapshot is refused", () => {
      expect(() => fresh().revert(1)).toThrow(expect.objectContaining({ code: "store.unknown_snapshot" }))
    })

    test("leaves the rows of tables beside the chain alone, and so does a fresh start", () => {
      const store = fresh({ tablesBesideChain: [users] })
      const password = new Uint8Array([1])
      const snapshot = store.snapshot()
      withRows(store, [
        [supplies, A, 1n],
        [users, "aa", password],
      ])
      store.revert(snapshot)
      expect([suppliesOf(store.latest), [...store.latest.rows(users)]]).toEqual([[], [["aa", password]]])
      const genesis = new Diff(store.latest)
      genesis.insert(supplies, B, 2n)
      store.commit(genesis.edits, { replaceAll: true })
      expect([suppliesOf(store.latest), [...store.latest.rows(users)]]).toEqual([[[B, 2n]], [["aa", password]]])
    })
  })
}
