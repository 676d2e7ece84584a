import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { Random } from "../../test/fuzz/random.js"
import { Diff } from "../core/state/diff.js"
import { allTables, tables } from "../core/state/tables.js"
import { openLmdbStore } from "./lmdb/openLmdbStore.js"
import { faultsIn } from "./maintenance/check.js"
import { stateHash } from "./maintenance/stateHash.js"
import { randomChanges } from "./rows.fixture.js"
import { A, B, C, closing, hashNow, type OpenStore, suppliesOf, temporaryDirectory, users, withRows } from "./store.fixture.js"

const { supplies, timestamp } = tables

/** The contract of replacing rows of a store, and of backups. */
export function replaceContract(name: string, fresh: OpenStore): void {
  describe(`${name}, a fresh start`, () => {
    test("replaces all rows and indexes, and ends the snapshots", () => {
      const store = fresh()
      const random = new Random(9)
      store.commit(randomChanges(random, store.latest, 60).edits)
      store.snapshot()
      const view = store.view()
      const before = stateHash(view, allTables)
      const genesis = randomChanges(random, fresh().latest, 20)
      store.commit(genesis.edits, { replaceAll: true, meta: { genesisID: C } })
      expect(hashNow(store)).toBe(stateHash(genesis, allTables))
      expect([faultsIn(store.latest, allTables), store.snapshots, store.getMeta("genesisID")]).toEqual([[], [], C])
      expect(stateHash(view, allTables)).toBe(before)
      view.release()
    })

    test("of single tables leaves the others alone, and ends the snapshots", () => {
      const store = fresh()
      withRows(store, [
        [supplies, A, 1n],
        [timestamp, null, 5n],
      ])
      store.snapshot()
      const view = store.view()
      const diff = new Diff(store.latest)
      diff.put(supplies, B, 2n)
      store.commit(diff.edits, { clearTables: [supplies] })
      expect([suppliesOf(store.latest), store.latest.get(timestamp, null), store.snapshots]).toEqual([[[B, 2n]], 5n, []])
      expect(suppliesOf(view)).toEqual([[A, 1n]])
      view.release()
    })
  })

  describe(`${name}, a backup`, () => {
    test("is a store of the moment at which it was asked for", async () => {
      const store = fresh({ tablesBesideChain: [users] })
      store.commit(randomChanges(new Random(4), store.latest, 80).edits, { meta: { networkID: 12345, rules: "{}" } })
      withRows(store, [[users, "aa", new Uint8Array([1])]])
      const hash = hashNow(store)
      const dir = join(temporaryDirectory(), "deep", "copy.d")
      const done = store.backup(dir)
      withRows(store, [[users, "bb", new Uint8Array([2])]])
      await done
      const copy = closing(openLmdbStore({ dir, tablesBesideChain: [users], networkID: 12345, mustExist: true }))
      expect([hashNow(copy), copy.getMeta("rules"), faultsIn(copy.latest, allTables)]).toEqual([hash, "{}", []])
      expect(copy.latest.get(users, "aa")).toEqual(new Uint8Array([1]))
      withRows(copy, [[supplies, A, 77n]])
      expect(copy.latest.get(supplies, A)).toBe(77n)
    })

    test("is not written over something else", async () => {
      const dir = temporaryDirectory()
      mkdirSync(join(dir, "full"))
      writeFileSync(join(dir, "full", "letter.txt"), "dear")
      await expect(fresh().backup(join(dir, "full"))).rejects.toMatchObject({ code: "store.backup_exists" })
    })

    test("that another one overtakes fails, and leaves the other one's copy", async () => {
      const dir = join(temporaryDirectory(), "new", "copy.d")
      const [store, faster] = [fresh(), fresh()]
      withRows(faster, [[supplies, A, 7n]])
      await expect(store.backup(dir, { verify: () => faster.backup(dir) })).rejects.toMatchObject({
        code: "store.backup_exists",
        data: { dir },
      })
      expect(closing(openLmdbStore({ dir, mustExist: true })).latest.get(supplies, A)).toBe(7n)
    })
  })
}
