import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { attempts, Random } from "../../test/fuzz/random.js"
import { bytes, u64 } from "../core/codec/primitives.js"
import { equalBytes } from "../core/lib/bytes.js"
import { Diff } from "../core/state/diff.js"
import { hexKey } from "../core/state/key.js"
import { table } from "../core/state/table.js"
import { allTables, tables } from "../core/state/tables.js"
import { idOfByte, type Row, viewContract } from "../core/state/view.contract.js"
import type { View } from "../core/state/view.js"
import type { ID } from "../core/types/id.js"
import { packUtxo } from "../core/types/packedUtxo.js"
import { faultsIn } from "./check.js"
import { hashOf } from "./dump.js"
import { openLmdbStore } from "./openLmdbStore.js"
import { addresses, randomChanges, randomID, randomUtxo } from "./rows.fixture.js"
import type { Store, StoreTables } from "./store.js"

const A = idOfByte("0a")
const B = idOfByte("0b")
const C = idOfByte("0c")
const { supplies, utxos, utxosByOwner, timestamp } = tables

/** Rows that do not belong to the chain. */
const users = table("users", hexKey<string>(1), bytes)

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

function withRows(store: Store, rows: readonly Row[]): Store {
  commit(store, (diff) => {
    for (const [table, key, value] of rows) diff.put(table, key, value)
  })
  return store
}

/** The contract of every store, in memory or on the disk. */
export function storeContract(name: string, open: (tables?: StoreTables) => Store): void {
  const fresh = (tables?: StoreTables) => closing(open(tables))
  const suppliesOf = (view: View) => [...view.rows(supplies)]
  const hashNow = (store: Store) => hashOf(store.latest, allTables)

  viewContract(`${name}, its latest rows`, (rows) => withRows(fresh(), rows).latest)
  viewContract(`${name}, its rows of one moment`, (rows) => {
    const store = withRows(fresh(), rows)
    const view = store.view()
    withRows(
      store,
      rows.map(([table, key]) => [table, key, undefined]),
    )
    return view
  })
  viewContract(`${name}, under a diff`, (rows) => {
    const half = rows.length >> 1
    const diff = new Diff(withRows(fresh(), rows.slice(0, half)).latest)
    for (const [table, key, value] of rows.slice(half)) diff.put(table, key, value)
    return diff
  })

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
      diff.insert(unknown, C, 1n)
      expect(() => store.commit(diff.edits, { meta: { clockOffset: 1n } })).toThrow(/not opened with the table unknown/)
      expect([suppliesOf(store.latest), [...store.latest.rows(utxosByOwner)]]).toEqual([[[A, 1n]], []])
      expect(store.getMeta("clockOffset")).toBeUndefined()
    })

    test("a commit in steps shows nothing before it has ended, and then all of it", async () => {
      const random = new Random(3)
      const gone = randomID(random)
      const store = withRows(fresh(), [
        [utxos, gone, randomUtxo(random)],
        [supplies, A, 1n],
      ])
      const diff = new Diff(store.latest)
      diff.delete(utxos, gone)
      for (let i = 0; i < 1700; i++) diff.insert(utxos, randomID(random), randomUtxo(random))
      diff.put(supplies, A, 2n)
      const expected = fresh()
      expected.commit(diff.edits)
      const seen = () => [hashNow(store), store.latest.get(supplies, A), [...store.view().rows(utxos)].length]
      const [before, version] = [seen(), store.version()]
      const meanwhile: unknown[] = []
      let rests = 0
      const committed = store.commitInSteps(diff.edits, async () => {
        await new Promise(setImmediate)
        if (rests++ > 0) return
        meanwhile.push(...seen(), store.version())
        expect(() => store.commit(diff.edits)).toThrow(expect.objectContaining({ code: "store.busy" }))
        await expect(store.commitInSteps(diff.edits, async () => {})).rejects.toMatchObject({ code: "store.busy" })
      })
      expect(store.busy).toBeDefined()
      await committed
      expect([meanwhile, store.busy, rests > 4]).toEqual([[...before, version], undefined, true])
      expect([hashNow(store), suppliesOf(store.latest)]).toEqual([hashNow(expected), [[A, 2n]]])
      expect([faultsIn(store.latest, allTables), store.version() === version]).toEqual([[], false])
    })

    test("a commit in steps that fails changes nothing, and the next one succeeds", async () => {
      const store = withRows(fresh(), [[supplies, A, 1n]])
      const diff = new Diff(store.latest)
      diff.put(supplies, A, 2n)
      diff.put(utxos, B, randomUtxo(new Random(1)))
      await expect(store.commitInSteps(diff.edits, () => Promise.reject(new Error("no rest")))).rejects.toThrow("no rest")
      expect([suppliesOf(store.latest), [...store.latest.rows(utxosByOwner)]]).toEqual([[[A, 1n]], []])
      await store.commitInSteps(diff.edits, async () => {})
      expect(suppliesOf(store.latest)).toEqual([[A, 2n]])
    })

    test("a commit in steps is undone by a revert", async () => {
      const store = withRows(fresh(), [[supplies, A, 1n]])
      const before = hashNow(store)
      const snapshot = store.snapshot()
      const diff = new Diff(store.latest)
      diff.put(supplies, A, 2n)
      diff.put(utxos, B, randomUtxo(new Random(1)))
      await store.commitInSteps(diff.edits, async () => {})
      store.revert(snapshot)
      expect(hashNow(store)).toBe(before)
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
        const hash = hashOf(diff, allTables)
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

  describe(`${name}, its indexes`, () => {
    const listed = (store: Store) => [...store.latest.rows(utxosByOwner)].map(([key]) => [key.owner, key.utxoID])

    test("follow a row that is added, changed and deleted", () => {
      const [one, two, three] = addresses
      const utxo = randomUtxo(new Random(1))
      const store = withRows(fresh(), [[utxos, A, { ...utxo, output: outputTo([one!, two!]) }]])
      expect(listed(store)).toEqual([[one, A], [two, A]]) // biome-ignore format: one line a set
      withRows(store, [[utxos, A, { ...utxo, output: outputTo([two!, three!]) }]])
      expect(listed(store)).toEqual([[two, A], [three, A]]) // biome-ignore format: one line a set
      commit(store, (diff) => diff.delete(utxos, A))
      expect(listed(store)).toEqual([])
    })

    test("list the present value of a row that keeps its key", () => {
      const [address] = addresses
      const utxo = { ...randomUtxo(new Random(1)), output: outputTo([address!]) }
      const store = withRows(fresh(), [[utxos, A, utxo]])
      withRows(store, [[utxos, A, { ...utxo, outputIndex: 7 }]])
      const expected = [[{ owner: address, utxoID: A }, packUtxo({ ...utxo, outputIndex: 7 })]]
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
        const expected = hashOf(diff, allTables)
        store.commit(diff.edits)
        expect(hashNow(store)).toBe(expected)
        expect(faultsIn(store.latest, allTables)).toEqual([])
      }
    })
  })

  describe(`${name}, a view of one moment`, () => {
    test("does not change with later commits", () => {
      const store = withRows(fresh(), [[supplies, A, 1n]])
      const first = store.view()
      withRows(store, [[supplies, A, 2n]])
      const second = store.view()
      withRows(store, [[supplies, B, 3n]])
      expect([suppliesOf(first), suppliesOf(second)]).toEqual([[[A, 1n]], [[A, 2n]]])
      expect([first.first(supplies), first.get(supplies, A), first.get(supplies, B)]).toEqual([[A, 1n], 1n, undefined])
      expect(suppliesOf(store.latest)).toEqual([[A, 2n], [B, 3n]]) // biome-ignore format: one line a set
      first.release()
      second.release()
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
      expect(seen).toEqual([[A, 1n], [B, 2n]]) // biome-ignore format: one line a set
    })
  })

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
      expect(suppliesOf(store.latest)).toEqual([[A, 3n], [B, 4n]]) // biome-ignore format: one line a set
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

  describe(`${name}, a fresh start`, () => {
    test("replaces all rows and indexes, and ends the snapshots", () => {
      const store = fresh()
      const random = new Random(9)
      store.commit(randomChanges(random, store.latest, 60).edits)
      store.snapshot()
      const view = store.view()
      const before = hashOf(view, allTables)
      const genesis = randomChanges(random, closing(open()).latest, 20)
      store.commit(genesis.edits, { replaceAll: true, meta: { genesisID: C } })
      expect(hashNow(store)).toBe(hashOf(genesis, allTables))
      expect([faultsIn(store.latest, allTables), store.snapshots, store.getMeta("genesisID")]).toEqual([[], [], C])
      expect(hashOf(view, allTables)).toBe(before)
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
  })
}

function outputTo(owners: readonly (typeof addresses)[number][]) {
  return { kind: "TransferOutput", amount: 1n, locktime: 0n, threshold: 1, addresses: owners } as const
}
