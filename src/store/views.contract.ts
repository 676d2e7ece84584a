import { describe, expect, test } from "vitest"
import { attempts, Random } from "../../test/fuzz/random.js"
import { allTables, tables } from "../core/state/tables.js"
import type { PrimaryEdits, Snapshot, View } from "../core/state/view.js"
import { allRows } from "./maintenance/copyRows.js"
import { randomChanges } from "./rows.fixture.js"
import { A, B, C, commit, type OpenStore, suppliesOf, withRows } from "./store.fixture.js"

const { subnets, supplies, timestamp } = tables

/** The contract of the views of a store. */
export function storeViewContract(name: string, fresh: OpenStore): void {
  describe(`${name}, a view of one moment`, () => {
    test("does not change with later commits", () => {
      const store = withRows(fresh(), [[supplies, A, 1n]])
      const first = store.view()
      withRows(store, [[supplies, A, 2n]])
      const second = store.view()
      withRows(store, [[supplies, B, 3n]])
      expect([suppliesOf(first), suppliesOf(second)]).toEqual([[[A, 1n]], [[A, 2n]]])
      expect([first.first(supplies), first.get(supplies, A), first.get(supplies, B)]).toEqual([[A, 1n], 1n, undefined])
      expect(suppliesOf(store.latest)).toEqual([
        [A, 2n],
        [B, 3n],
      ])
      first.release()
      second.release()
    })

    test("has the single row and the first row of a table of its moment, whether they are read before or after later commits", () => {
      const store = withRows(fresh(), [
        [timestamp, null, 1n],
        [supplies, B, 1n],
      ])
      const rowsOf = (view: View) => [view.get(timestamp, null), view.first(timestamp), view.first(supplies), view.first(subnets)]
      const first = store.view()
      const atFirst = [1n, [null, 1n], [B, 1n], undefined]
      expect(rowsOf(first)).toEqual(atFirst)
      withRows(store, [
        [timestamp, null, 2n],
        [supplies, A, 2n],
      ])
      const second = store.view()
      withRows(store, [
        [timestamp, null, 3n],
        [subnets, C, null],
      ])
      const last = store.view()
      const atLast = [3n, [null, 3n], [A, 2n], [C, null]]
      expect([first, second, last, store.latest].map(rowsOf)).toEqual([
        atFirst,
        [2n, [null, 2n], [A, 2n], undefined],
        atLast,
        atLast,
      ])
      for (const view of [first, second, last]) view.release()
      expect(() => last.get(timestamp, null)).toThrow("given back")
      expect(() => last.first(supplies)).toThrow("given back")
    })

    test("does not change when the state is reverted", () => {
      const store = withRows(fresh(), [[supplies, A, 1n]])
      const snapshot = store.snapshot()
      withRows(store, [[supplies, A, 2n]])
      const view = store.view()
      store.revert(snapshot)
      expect([view.get(supplies, A), store.latest.get(supplies, A)]).toEqual([2n, 1n])
      view.release()
    })

    test("has every row of its moment after any commits, reverts and releases of other views", () => {
      const random = new Random(12)
      const store = fresh()
      const held: { readonly view: Snapshot; readonly rows: PrimaryEdits }[] = []
      const rowsOf = (view: View) => allRows(view, allTables)
      const snapshot = store.snapshot()
      for (let i = 0; i < attempts(200, 40); i++) {
        if (random.below(3) > 0) held.push({ view: store.view(), rows: rowsOf(store.latest) })
        if (random.below(20) === 0) store.revert(snapshot)
        store.commit(randomChanges(random, store.latest, random.below(6)).edits)
        const [checked] = random.below(3) > 0 ? held.splice(random.below(held.length), 1) : []
        if (!checked) continue
        expect(rowsOf(checked.view)).toEqual(checked.rows)
        checked.view.release()
      }
      for (const { view, rows } of held) expect(rowsOf(view)).toEqual(rows)
      for (const { view } of held) view.release()
    })

    test("outlives the turn of the event loop that it was asked for in", async () => {
      const store = withRows(fresh(), [[supplies, A, 1n]])
      const view = store.view()
      withRows(store, [[supplies, A, 2n]])
      await new Promise((resolve) => setImmediate(resolve))
      withRows(store, [[supplies, A, 3n]])
      await new Promise((resolve) => setImmediate(resolve))
      expect([view.get(supplies, A), suppliesOf(view)]).toEqual([1n, [[A, 1n]]])
      view.release()
    })

    test("many can be held at a time, and given back in any order", () => {
      const store = fresh()
      const views = Array.from({ length: 150 }, (_, i) => {
        withRows(store, [[supplies, A, BigInt(i)]])
        return store.view()
      })
      for (const [i, view] of [...views.entries()].reverse())
        if (view.get(supplies, A) !== BigInt(i)) throw new Error(`view ${i}`)
      for (const view of views.filter((_, i) => i % 2 === 0)) view.release()
      expect(views[1]?.get(supplies, A)).toBe(1n)
      for (const view of views) view.release()
      expect(store.latest.get(supplies, A)).toBe(149n)
    })

    test("cannot be read after its release, which may be repeated; a walk that has begun continues", () => {
      const store = withRows(fresh(), [
        [supplies, A, 1n],
        [supplies, B, 2n],
      ])
      const view = store.view()
      const walk = view.rows(supplies)[Symbol.iterator]()
      walk.next()
      view.release()
      view.release()
      withRows(store, [[supplies, B, 3n]])
      expect(walk.next().value).toEqual([B, 2n])
      expect(walk.next().done).toBe(true)
      expect(() => view.get(supplies, A)).toThrow("given back")
      expect(() => [...view.rows(supplies)]).toThrow("given back")
    })

    test("a walk over the latest rows shows the moment at which it began", () => {
      const store = withRows(fresh(), [
        [supplies, A, 1n],
        [supplies, B, 2n],
      ])
      const seen: unknown[] = []
      for (const row of store.latest.rows(supplies)) {
        seen.push(row)
        commit(store, (diff) => {
          diff.delete(supplies, B)
          diff.put(supplies, C, 3n)
        })
      }
      expect(seen).toEqual([
        [A, 1n],
        [B, 2n],
      ])
    })
  })
}
