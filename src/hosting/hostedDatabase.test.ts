import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { type ID, idOfName } from "../core/types/id.js"
import { hostedTables, MAX_HOSTED_KEY } from "../producer/tables.js"
import { openLmdbStore } from "../store/lmdb/openLmdbStore.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import type { Store } from "../store/store.js"
import { recordEdits, removalEdits, sweepEdits } from "./chainRecord.js"
import { HostedDatabase } from "./hostedDatabase.js"
import { SnapshotRoom } from "./snapshotRoom.js"

const tables = Object.values(hostedTables)
const [mine, other] = [idOfName("mine"), idOfName("other")]
const bytes = (text: string) => Buffer.from(text, "latin1")
const text = (value: Uint8Array | undefined) => value && Buffer.from(value).toString("latin1")
const roomy = new SnapshotRoom(1 << 30, () => {})

const open = (store: Store, chainID: ID = mine, { room = roomy, maxBytes = 1 << 24 } = {}) =>
  new HostedDatabase({ chainID, store, commit: (edits) => store.commit(edits), room, maxBytes })

/** Writes rows `key=value`, and deletes keys. */
function write(database: HostedDatabase, rows: readonly string[], deleted: readonly string[] = []): void {
  const puts = rows.map((row) => row.split("=")).map(([key = "", value = ""]) => ({ key: bytes(key), value: bytes(value) }))
  database.write({ puts, deletes: deleted.map((key) => ({ key: bytes(key) })) })
}

function rowsOf(database: HostedDatabase, start = "", prefix = ""): string[] {
  const view = database.view()
  const rows = [...view.rows(bytes(start), bytes(prefix))].map(([key, value]) => `${text(key)}=${text(value)}`)
  view.release()
  return rows
}

const folders: string[] = []
afterAll(() => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true })
})
function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "serac-hosted-"))
  folders.push(dir)
  return dir
}

describe.each([
  ["in memory", () => new MemoryStore({ tables })],
  ["on the disk", () => openLmdbStore({ dir: newFolder(), tables })],
])("the database of a hosted chain, %s", (_where, openStore) => {
  test("has for a key the value that was last written, until it is deleted", async () => {
    await using store = disposable(openStore())
    const database = open(store.store)
    expect(database.get(bytes("a"))).toBeUndefined()
    write(database, ["a=1", "b=2", "empty=", "=nothing"])
    write(database, ["a=3"], ["b", "never"])
    expect(["a", "b", "empty", ""].map((key) => text(database.get(bytes(key))))).toEqual(["3", undefined, "", "nothing"])
  })

  test("has rows in the order of their bytes, from a start on, with a prefix, and none of another chain", async () => {
    await using store = disposable(openStore())
    const database = open(store.store)
    write(database, ["b=1", "a\xff=2", "a=3", "a\x00=4", "c=5", "a\xff\xff=6"])
    for (const chain of [other, idOfName("a"), "ff".repeat(32) as ID]) write(open(store.store, chain), ["a=7", "b=8"])
    expect(rowsOf(database)).toEqual(["a=3", "a\x00=4", "a\xff=2", "a\xff\xff=6", "b=1", "c=5"])
    expect(rowsOf(database, "", "a")).toEqual(["a=3", "a\x00=4", "a\xff=2", "a\xff\xff=6"])
    expect(rowsOf(database, "a\x01", "a")).toEqual(["a\xff=2", "a\xff\xff=6"])
    expect(rowsOf(database, "b")).toEqual(["b=1", "c=5"])
    expect([rowsOf(database, "b", "a"), rowsOf(database, "", "\xff")]).toEqual([[], []])
    write(database, [], ["a"])
    expect(rowsOf(open(store.store, other))).toEqual(["a=7", "b=8"])
  })

  test("shows the rows of the moment of a view", async () => {
    await using store = disposable(openStore())
    const database = open(store.store)
    write(database, ["a=1", "b=2", "c=3"])
    const view = database.view()
    write(database, ["b=changed", "bb=new"], ["c"])
    expect([...view.rows(bytes("b"), bytes(""))].map(([key, value]) => [text(key), text(value)])).toEqual([
      ["b", "2"],
      ["c", "3"],
    ])
    view.release()
  })

  test("counts the bytes of its keys and values, and writes nothing beyond its limit", async () => {
    await using store = disposable(openStore())
    const database = open(store.store, mine, { maxBytes: 20 })
    write(database, ["abc=12345", "d=6"])
    expect(database.size()).toBe(10)
    write(database, ["abc=1"], ["d"])
    expect(database.size()).toBe(4)
    expect(() => write(database, ["x=1", "y=0123456789abcdefgh"], ["abc"])).toThrow("the database takes more than 20 bytes")
    expect([rowsOf(database), database.size()]).toEqual([["abc=1"], 4])
  })

  test("has the longest key that LMDB takes, and refuses a longer one", async () => {
    await using store = disposable(openStore())
    const database = open(store.store)
    const longest = "k".repeat(MAX_HOSTED_KEY)
    write(database, [`${longest}=1`])
    expect([text(database.get(bytes(longest))), rowsOf(database).length]).toEqual(["1", 1])
    expect(() => write(database, [`${longest}k=1`])).toThrow(`a key has ${MAX_HOSTED_KEY + 1} bytes`)
    expect(database.get(bytes(`${longest}k`))).toBeUndefined()
    write(database, [], [`${longest}k`])
  })

  test("keeps the notes of the host apart from the rows", async () => {
    await using store = disposable(openStore())
    const database = open(store.store)
    expect(database.note("position")).toBeUndefined()
    database.setNote("position", bytes("noted"))
    write(database, ["a=1"])
    expect([text(database.note("position")), database.note("relayed")]).toEqual(["noted", undefined])
    expect(rowsOf(database)).toEqual(["a=1"])
  })

  test("writes nothing while the chains are replaced", async () => {
    await using store = disposable(openStore())
    const database = open(store.store)
    write(database, ["a=1"])
    database.isLocked = true
    expect(() => write(database, ["a=2"])).toThrow("the chains of this node are being replaced")
    expect(() => database.setNote("relayed", bytes("1"))).toThrow("the chains of this node are being replaced")
    database.isLocked = false
    expect([rowsOf(database), database.note("relayed")]).toEqual([["a=1"], undefined])
  })

  test("returns with the store to a snapshot, rows, notes and size", async () => {
    await using store = disposable(openStore())
    const database = open(store.store)
    write(database, ["a=1", "b=2"])
    database.setNote("position", bytes("first"))
    const id = store.store.snapshot()
    write(database, ["a=long value", "c=3"], ["b"])
    database.setNote("position", bytes("second"))
    store.store.revert(id)
    expect([rowsOf(database), text(database.note("position")), database.size()]).toEqual([["a=1", "b=2"], "first", 4])
  })

  test("is deleted in parts after its record, and no other one is", async () => {
    await using store = disposable(openStore())
    const files = { config: bytes(""), upgrades: bytes(""), rules: "", isStopped: false }
    for (const chainID of [mine, other]) {
      store.store.commit(recordEdits({ name: "chain", subnetID: mine, chainID, vmID: mine, ...files }))
      write(
        open(store.store, chainID),
        Array.from({ length: 1500 }, (_, i) => `${i}=1`),
      )
    }
    expect(sweepEdits(store.store.latest)).toBeUndefined()
    store.store.commit(removalEdits(mine))
    const parts: number[] = []
    for (let edits = sweepEdits(store.store.latest); edits; edits = sweepEdits(store.store.latest)) {
      parts.push([...edits.values()].reduce((sum, rows) => sum + rows.size, 0))
      store.store.commit(edits)
    }
    expect(parts).toEqual([1000, 500, 1])
    expect([open(store.store).size(), rowsOf(open(store.store)), rowsOf(open(store.store, other)).length]).toEqual([0, [], 1500])
  })
})

const disposable = (store: Store) => ({ store, [Symbol.asyncDispose]: () => store.close() })

test("snapshots whose old rows take more memory than there is are lost, and a later one is not", () => {
  const store = new MemoryStore({ tables })
  let losses = 0
  const room = new SnapshotRoom(1000, () => losses++)
  const database = open(store, mine, { room })
  const put = (length: number) => database.write({ puts: [{ key: bytes("key"), value: new Uint8Array(length) }], deletes: [] })
  const take = (id: number, ids: readonly number[]) => room.taken(id, ids)
  put(600)
  expect(room.bytes).toBe(0)
  take(1, [1])
  put(10)
  put(20)
  // A row changes for the first time after each snapshot: 300 bytes, its key with the chain's ID, its old value.
  expect([losses, room.bytes]).toEqual([0, 300 + 35 + 600])
  room.returnedTo(1)
  expect(room.bytes).toBe(0)
  put(600)
  take(2, [1, 2])
  put(0)
  expect([losses, room.isLost(1), room.isLost(2), room.bytes]).toEqual([1, true, true, 0])
  take(3, [3])
  put(5)
  expect([losses, room.isLost(3), room.bytes]).toEqual([1, false, 335])
  room.clear()
  put(600)
  expect([losses, room.bytes]).toEqual([1, 0])
})
