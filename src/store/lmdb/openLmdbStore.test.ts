import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bundle, run } from "../../../test/child.js"
import { Random } from "../../../test/fuzz/random.js"
import { Diff } from "../../core/state/diff.js"
import { allTables, tables } from "../../core/state/tables.js"
import { idOfByte } from "../../core/state/view.contract.js"
import { load } from "../../platform/load.js"
import { faultsIn } from "../maintenance/check.js"
import { stateHash } from "../maintenance/stateHash.js"
import { SCHEMA } from "../meta.js"
import { randomChanges } from "../rows.fixture.js"
import { closing, commit, temporaryDirectory } from "../store.fixture.js"
import { LOCK_FILE } from "./holderNote.js"
import { lmdbFailure } from "./lmdbFailure.js"
import { type LmdbOptions, openLmdbStore } from "./openLmdbStore.js"

let committer: string
beforeAll(() => {
  committer = bundle("src/store/lmdb/committer.fixture.ts")
})
afterAll(() => rmSync(committer, { force: true }))

const A = idOfByte("0a")
const { supplies } = tables

const refusing = (code: string, data: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, data: expect.objectContaining(data) })

/** A store with some rows, closed again. */
async function closedStore(options: Partial<LmdbOptions> = {}): Promise<string> {
  const dir = join(temporaryDirectory(), "store")
  const store = openLmdbStore({ dir, ...options })
  commit(store, (diff) => diff.put(supplies, A, 1n))
  await store.close()
  return dir
}

describe("opening again", () => {
  test("finds all rows, indexes and small values", async () => {
    const dir = await closedStore({ networkID: 12345 })
    const store = openLmdbStore({ dir })
    store.commit(randomChanges(new Random(1), store.latest, 200).edits, { meta: { upgrades: "{}" } })
    const hash = stateHash(store.latest, allTables)
    await store.close()
    const again = closing(openLmdbStore({ dir, networkID: 12345, mustExist: true }))
    expect([stateHash(again.latest, allTables), faultsIn(again.latest, allTables)]).toEqual([hash, []])
    expect([again.getMeta("networkID"), again.getMeta("upgrades"), again.getMeta("schema")]).toEqual([12345, "{}", SCHEMA])
  })

  test("with a new table finds it empty", async () => {
    const dir = await closedStore({ tables: [supplies] })
    const store = closing(openLmdbStore({ dir }))
    commit(store, (diff) => diff.put(tables.l1Weights, A, 2n))
    expect([store.latest.get(supplies, A), store.latest.get(tables.l1Weights, A)]).toEqual([1n, 2n])
  })

  test("two tables of one name are a fault", () => {
    const twice = [supplies, { ...supplies }]
    expect(() => openLmdbStore({ dir: temporaryDirectory(), tables: twice })).toThrow("two tables are called supplies")
  })
})

describe("a directory that is no store of ours is refused and left as it is", () => {
  test("one that holds other files", () => {
    const dir = temporaryDirectory()
    writeFileSync(join(dir, "CURRENT"), "MANIFEST-000001")
    expect(() => openLmdbStore({ dir })).toThrow(refusing("store.foreign", { dir }))
    expect(readdirSync(dir)).toEqual(["CURRENT"])
  })

  test("one whose file of rows is something else", () => {
    const dir = temporaryDirectory()
    writeFileSync(join(dir, "data.mdb"), Buffer.alloc(100_000, 7))
    expect(() => openLmdbStore({ dir })).toThrow(refusing("store.damaged"))
    expect(readFileSync(join(dir, "data.mdb"))).toEqual(Buffer.alloc(100_000, 7))
  })

  test("one of another program that uses LMDB too", async () => {
    const dir = temporaryDirectory()
    const root = load<typeof import("lmdb")>("lmdb").open({ path: dir, overlappingSync: false })
    root.openDB("theirs", {}).putSync("a", 1)
    await root.close()
    const before = readFileSync(join(dir, "data.mdb"))
    expect(() => openLmdbStore({ dir })).toThrow(refusing("store.foreign"))
    expect(readFileSync(join(dir, "data.mdb"))).toEqual(before)
    expect(existsSync(join(dir, LOCK_FILE))).toBe(false)
  })

  test("a file, or a directory inside one", () => {
    const file = join(temporaryDirectory(), "letter")
    writeFileSync(file, "dear")
    expect(() => openLmdbStore({ dir: file })).toThrow(refusing("store.foreign"))
    expect(() => openLmdbStore({ dir: join(file, "store") })).toThrow(refusing("store.foreign"))
  })

  test("one without a store, where there must be one", () => {
    const dir = join(temporaryDirectory(), "none")
    expect(() => openLmdbStore({ dir, mustExist: true })).toThrow(refusing("store.missing", { dir }))
    expect(() => openLmdbStore({ dir, readOnly: true })).toThrow(refusing("store.missing", { dir }))
    expect(existsSync(dir)).toBe(false)
  })

  test("one that a newer or an older version made", async () => {
    const dir = await closedStore()
    for (const [schema, code] of [
      [SCHEMA + 1, "store.newer"],
      [SCHEMA - 1, "store.older"],
    ] as const) {
      const store = openLmdbStore({ dir })
      store.putMeta({ schema })
      await store.close()
      expect(() => openLmdbStore({ dir })).toThrow(refusing(code, { schema, known: SCHEMA }))
      await rewriteSchema(dir)
    }
  })

  test("one of another network", async () => {
    const dir = await closedStore({ networkID: 12345 })
    expect(() => openLmdbStore({ dir, networkID: 5 })).toThrow(refusing("store.other_network", { networkID: 12345, expected: 5 }))
    expect(existsSync(join(dir, LOCK_FILE))).toBe(false)
  })
})

/** Puts the schema of a store right, past our own door. */
async function rewriteSchema(dir: string): Promise<void> {
  const root = load<typeof import("lmdb")>("lmdb").open({ path: dir, noSubdir: false, overlappingSync: false })
  root.openDB<Uint8Array, string>("serac", { encoding: "binary" }).putSync("schema", new Uint8Array([0, 0, 0, SCHEMA]))
  await root.close()
}

describe("the lock", () => {
  test("refuses a second opening, within a process and between two, and names the holder", async () => {
    const dir = await closedStore()
    const store = closing(openLmdbStore({ dir }))
    expect(() => openLmdbStore({ dir })).toThrow(refusing("store.locked", { dir, pid: process.pid }))
    expect(await run(process.execPath, [committer, dir]).rest()).toEqual([`store.locked ${process.pid}`])
    commit(store, (diff) => diff.put(supplies, A, 2n))
    await store.close()
    const again = closing(openLmdbStore({ dir }))
    expect(again.latest.get(supplies, A)).toBe(2n)
  })

  test("of a process that lives is respected, of one that was killed it is taken over", async () => {
    const dir = await closedStore()
    const child = run(process.execPath, [committer, dir, "wait"])
    expect((await child.lines.next()).value).toBe("open")
    expect(() => openLmdbStore({ dir })).toThrow(refusing("store.locked", { pid: child.process.pid }))
    child.process.kill("SIGKILL")
    await child.rest()
    expect(existsSync(join(dir, LOCK_FILE))).toBe(true)
    expect(closing(openLmdbStore({ dir })).latest.get(supplies, A)).toBe(1n)
  })

  test("is taken by one of several processes that open a new store at once", async () => {
    const dir = join(temporaryDirectory(), "store")
    const children = Array.from({ length: 4 }, () => run(process.execPath, [committer, dir, "wait"]))
    const outputs = await Promise.all(children.map(async ({ lines }) => (await lines.next()).value as string))
    for (const child of children) child.process.kill("SIGKILL")
    await Promise.all(children.map((child) => child.rest()))
    const winner = children[outputs.indexOf("open")]?.process
    expect(outputs.filter((line) => line !== "open")).toEqual(Array(3).fill(`store.locked ${winner?.pid}`))
  })

  test.each([
    ["names a number that another process was given since", { started: "1" }],
    ["is from before the machine was started", { boot: "another" }],
    ["cannot be read", undefined],
  ])("that %s is taken over", async (_, change) => {
    const dir = await closedStore()
    const store = openLmdbStore({ dir })
    const lock = JSON.parse(readFileSync(join(dir, LOCK_FILE), "utf8"))
    await store.close()
    writeFileSync(join(dir, LOCK_FILE), change ? JSON.stringify({ ...lock, ...change }) : "half a l")
    expect(closing(openLmdbStore({ dir })).latest.get(supplies, A)).toBe(1n)
  })

  test("does not keep readers out", async () => {
    const dir = await closedStore({ tables: [supplies] })
    const store = closing(openLmdbStore({ dir, tables: [supplies] }))
    const reader = closing(openLmdbStore({ dir, readOnly: true }))
    commit(store, (diff) => diff.put(supplies, A, 2n))
    expect(store.latest.get(supplies, A)).toBe(2n)
    const view = reader.view()
    expect([view.get(supplies, A), [...view.rows(supplies)], view.get(tables.l1Weights, A)]).toEqual([2n, [[A, 2n]], undefined])
    view.release()
    expect(() => commit(reader, (diff) => diff.put(supplies, A, 3n))).toThrow("reading only")
    await reader.close()
    expect(() => openLmdbStore({ dir })).toThrow(refusing("store.locked", { pid: process.pid }))
  })
})

test("a process that may open no more files gets an error, and continues", async () => {
  const child = run("sh", ["-c", `ulimit -n 100; exec ${process.execPath} ${committer} ${temporaryDirectory()} many`])
  expect(await child.rest()).toEqual(["store.too_many_open"])
})

describe("a store that cannot grow", () => {
  test("refuses the commit that has no room, and keeps what it had", async () => {
    const dir = join(temporaryDirectory(), "store")
    const store = openLmdbStore({ dir, maxBytes: 1 << 20 })
    const write = (number: number) =>
      commit(store, (diff) => {
        diff.put(tables.timestamp, null, BigInt(number))
        diff.put(tables.blocks, idOfByte(number.toString(16).padStart(2, "0")), new Uint8Array(50_000))
      })
    let last = 0
    const fill = () => {
      for (; last < 100; last++) write(last)
    }
    expect(fill).toThrow(refusing("store.full", { dir, maxBytes: 1 << 20 }))
    expect(last).toBeGreaterThan(5)
    expect([store.latest.get(tables.timestamp, null), store.statistics().rows.blocks]).toEqual([BigInt(last - 1), last])
    expect(() => write(last)).toThrow(refusing("store.full"))
    await store.close()
    const larger = closing(openLmdbStore({ dir, maxBytes: 1 << 24 }))
    expect(larger.latest.get(tables.timestamp, null)).toBe(BigInt(last - 1))
    commit(larger, (diff) => diff.put(tables.timestamp, null, 100n))
    expect(larger.latest.get(tables.timestamp, null)).toBe(100n)
  })

  test.each([
    [28, "store.disk_full"],
    ["ENOSPC", "store.disk_full"],
    [122, "store.disk_full"],
    ["EFBIG", "store.file_limit"],
    [5, "store.io_error"],
    ["EIO", "store.io_error"],
    [13, "store.not_writable"],
    ["EROFS", "store.read_only_disk"],
    [-30792, "store.full"],
    [-30788, "store.too_much"],
    [-30782, "store.damaged"],
    [-30796, "store.damaged"],
  ])("what the system calls %s is %s", (code, expected) => {
    expect(lmdbFailure(Object.assign(new Error("no"), { code }), "/data")).toEqual(refusing(expected, { dir: "/data" }))
  })
})

test.each([
  ["of 103 characters, which fits into LMDB's buffer, leaves a store that can be opened anew", 103, "store.io_error"],
  ["of 104 characters overwrites memory, after which nothing is written", 104, "store.write_failed"],
])("LMDB's message about a page that cannot be written %s", (_, length, code) => {
  const detail = "Attempting to write page at position 8192, size 4096, blocks 1, buffer sizes 4096 1 -1".padEnd(length, "0")
  const error = Object.assign(new Error(`Input/output error: ${detail}`), { code: 5 })
  expect(lmdbFailure(error, "/data")).toEqual(refusing(code, { dir: "/data" }))
})

test("a store that was closed says so, and may be closed twice", async () => {
  const dir = await closedStore()
  const store = openLmdbStore({ dir })
  const view = store.view()
  await store.close()
  await store.close()
  expect(() => store.latest.get(supplies, A)).toThrow("closed")
  expect(() => view.get(supplies, A)).toThrow("closed")
  expect(() => store.commit(new Diff(store.latest).edits)).toThrow("closed")
  view.release()
})
