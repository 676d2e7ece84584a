import { describe, expect, test } from "vitest"
import { once } from "../../test/fixtures/once.js"
import { Random } from "../../test/fuzz/random.js"
import { bytes } from "../core/codec/primitives.js"
import { Invalid } from "../core/lib/invalid.js"
import { Diff } from "../core/state/diff.js"
import { hexKey } from "../core/state/key.js"
import { table } from "../core/state/table.js"
import { allTables, tables } from "../core/state/tables.js"
import { idOfByte } from "../core/state/view.contract.js"
import type { Edits, IndexedView } from "../core/state/view.js"
import { faultsIn } from "./maintenance/check.js"
import { stateHash } from "./maintenance/stateHash.js"
import { MemoryStore } from "./memory/memoryStore.js"
import { randomID, randomUtxo } from "./rows.fixture.js"
import { closing, commit } from "./store.fixture.js"
import type { Store, StoreTables } from "./store.js"

const A = idOfByte("0a")
const { supplies, utxos, timestamp } = tables
const users = table("users", hexKey<string>(1), bytes)

/** Parts of a state: UTXOs with their indexes, and single rows. All stores of this process are loaded from the same ones. */
const someParts = once((): readonly Edits[] => {
  const random = new Random(7)
  const blank = new MemoryStore().latest
  return Array.from({ length: 5 }, (_, part) => {
    const diff = new Diff(blank)
    for (let i = 0; i < 1200; i++) diff.insert(utxos, randomID(random), randomUtxo(random))
    if (part === 0) diff.insert(timestamp, null, 5n)
    return diff.edits
  })
})

/** The hash of a store that received the parts in one commit each. */
const hashOfParts = once(() => {
  const store = new MemoryStore({ tables: allTables, tablesBesideChain: [users] })
  for (const part of someParts()) store.commit(part)
  return stateHash(store.latest, [...allTables, users])
})

/** Contract of every store for loading a whole state. */
export function loadContract(name: string, open: (tables?: StoreTables) => Store): void {
  const held = (): Store => {
    const store = closing(open({ tables: allTables, tablesBesideChain: [users] }))
    commit(store, (diff) => {
      diff.put(supplies, A, 1n)
      diff.put(utxos, A, randomUtxo(new Random(1)))
      diff.put(users, "aa", Uint8Array.of(1))
      diff.put(timestamp, null, 1n)
    })
    return store
  }
  const hashNow = ({ latest }: Store) => stateHash(latest, [...allTables, users])

  async function* inTurns(parts: readonly Edits[], between: () => void = () => {}): AsyncGenerator<Edits, void> {
    for (const part of parts) {
      await new Promise(setImmediate)
      between()
      yield part
    }
  }

  describe(`${name}, loading a whole state`, () => {
    test("replaces every row, index and small value, and ends the snapshots", async () => {
      const store = held()
      store.snapshot()
      await store.load(inTurns(someParts()), { meta: () => ({ clockOffset: 4n }) })
      expect([hashNow(store), faultsIn(store.latest, allTables)]).toEqual([hashOfParts(), []])
      expect([store.getMeta("clockOffset"), store.snapshots]).toEqual([4n, []])
      commit(store, (diff) => diff.put(supplies, A, 2n))
      expect(store.latest.get(supplies, A)).toBe(2n)
    })

    test("does not change the tables that are kept", async () => {
      const store = held()
      await store.load(inTurns(someParts()), { keeps: [users] })
      expect(store.latest.get(users, "aa")).toEqual(Uint8Array.of(1))
      expect([store.latest.get(supplies, A), store.latest.get(timestamp, null)]).toEqual([undefined, 5n])
    })

    test("lets others read what was there before, by row and by walk, and refuses their commits", async () => {
      const store = held()
      const before = hashNow(store)
      const view = store.view()
      const seen: unknown[] = []
      const look = () => {
        const fresh = store.view()
        seen.push(hashNow(store), stateHash(fresh, [...allTables, users]), stateHash(view, [...allTables, users]))
        seen.push(store.latest.get(timestamp, null), store.latest.first(supplies)?.[1], store.getMeta("clockOffset"))
        fresh.release()
        expect(() => commit(store, (diff) => diff.put(supplies, A, 3n))).toThrow(expect.objectContaining({ code: "store.busy" }))
        expect(() => store.putMeta({ clockOffset: 9n })).toThrow(expect.objectContaining({ code: "store.busy" }))
      }
      await store.load(inTurns(someParts(), look))
      expect(seen).toEqual(Array(5).fill([before, before, before, 1n, 1n, undefined]).flat())
      expect(stateHash(view, [...allTables, users])).toBe(before)
      view.release()
      expect([hashNow(store), store.failure]).toEqual([hashOfParts(), undefined])
    })

    test("lets a commit that waits for it be made after it", async () => {
      const store = held()
      const loaded = store.load(inTurns(someParts()))
      const next = store.busy?.then(() => store.putMeta({ clockOffset: 9n }))
      await Promise.all([loaded, next])
      expect([hashNow(store), store.getMeta("clockOffset")]).toEqual([hashOfParts(), 9n])
    })

    test("shows the new rows to a check before they replace the others, and its refusal changes nothing", async () => {
      const store = held()
      const before = hashNow(store)
      const bad = new Invalid("codec.truncated", { sentence: "the bytes end" }, {})
      const seen: string[] = []
      const check = (loaded: IndexedView) => void seen.push(stateHash(loaded, [...allTables, users]), hashNow(store))
      const refuse = (loaded: IndexedView) => {
        check(loaded)
        throw bad
      }
      await expect(store.load(inTurns(someParts()), { check: refuse })).rejects.toBe(bad)
      expect([hashNow(store), store.failure, faultsIn(store.latest, allTables)]).toEqual([before, undefined, []])
      await store.load(inTurns(someParts()), { check })
      expect([hashNow(store), ...seen]).toEqual([hashOfParts(), hashOfParts(), before, hashOfParts(), before])
    })

    test("that fails half way changes nothing, and is no failure of the store", async () => {
      const store = held()
      const before = hashNow(store)
      const bad = new Invalid("codec.truncated", { sentence: "the bytes end" }, {})
      async function* cut() {
        yield* inTurns(someParts().slice(0, 3))
        throw bad
      }
      await expect(store.load(cut())).rejects.toBe(bad)
      expect([hashNow(store), store.failure, faultsIn(store.latest, allTables)]).toEqual([before, undefined, []])
      commit(store, (diff) => diff.put(supplies, A, 2n))
      await store.load(inTurns(someParts()))
      expect(hashNow(store)).toBe(hashOfParts())
    })
  })
}
