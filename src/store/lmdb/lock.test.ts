import { spawnSync } from "node:child_process"
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bundle, run } from "../../../test/child.js"
import { needs } from "../../../test/needs.js"
import { tables } from "../../core/state/tables.js"
import { idOfByte } from "../../core/state/view.contract.js"
import { closing, commit, temporaryDirectory } from "../store.fixture.js"
import { LOCK_FILE } from "./holderNote.js"
import { openLmdbStore } from "./openLmdbStore.js"

let committer: string
beforeAll(() => {
  committer = bundle("src/store/lmdb/committer.fixture.ts")
})
afterAll(() => rmSync(committer, { force: true }))

const A = idOfByte("0a")
const { supplies } = tables
const refusing = (code: string, data: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, data: expect.objectContaining(data) })

/** Runs a command in a PID namespace of its own, in which it is process 1: a container, as far as processes go. */
const CONTAINER = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"] as const
const hasContainers = spawnSync(CONTAINER[0], [...CONTAINER.slice(1), "true"]).status === 0
const contained = (...args: readonly string[]) => run(CONTAINER[0], [...CONTAINER.slice(1), process.execPath, ...args])

async function closedStore(): Promise<string> {
  const dir = join(temporaryDirectory(), "store")
  const store = openLmdbStore({ dir })
  commit(store, (diff) => diff.put(supplies, A, 1n))
  await store.close()
  return dir
}

describe("across PID namespaces", needs(hasContainers, "the right to make PID namespaces (unshare)"), () => {
  test("a node in a container keeps one on the host out, and the other way round", async () => {
    const dir = await closedStore()
    const inside = contained(committer, dir, "wait")
    expect((await inside.lines.next()).value).toBe("open")
    expect(() => openLmdbStore({ dir })).toThrow(refusing("store.locked", { pid: 1 }))
    inside.process.kill("SIGKILL")
    await inside.rest()
    const store = closing(openLmdbStore({ dir }))
    expect(store.latest.get(supplies, A)).toBe(1n)
    expect(await contained(committer, dir).rest()).toEqual([`store.locked ${process.pid}`])
    commit(store, (diff) => diff.put(supplies, A, 2n))
  })

  test("of two containers in which the node is process 1 each, one has it; when that is killed, the next has it", async () => {
    const dir = await closedStore()
    const first = contained(committer, dir, "wait")
    expect((await first.lines.next()).value).toBe("open")
    expect(await contained(committer, dir).rest()).toEqual(["store.locked 1"])
    first.process.kill("SIGKILL")
    await first.rest()
    const next = contained(committer, dir, "wait")
    expect((await next.lines.next()).value).toBe("open")
    next.process.kill("SIGKILL")
    await next.rest()
  })
})

describe("a store that was taken away while it is open", () => {
  test("is not written any more, reports it, and its close does not unlock the store that replaced it", async () => {
    const dir = await closedStore()
    const store = openLmdbStore({ dir })
    rmSync(dir, { recursive: true })
    expect(() => commit(store, (diff) => diff.put(supplies, A, 2n))).toThrow(refusing("store.replaced", { dir }))
    expect(store.failure).toEqual(refusing("store.replaced"))
    expect(store.latest.get(supplies, A)).toBe(1n)
    const next = closing(openLmdbStore({ dir }))
    expect(() => commit(store, (diff) => diff.put(supplies, A, 2n))).toThrow(refusing("store.replaced"))
    const note = readFileSync(join(dir, LOCK_FILE))
    await store.close()
    expect(readFileSync(join(dir, LOCK_FILE))).toEqual(note)
    expect(await run(process.execPath, [committer, dir]).rest()).toEqual([`store.locked ${process.pid}`])
    commit(next, (diff) => diff.put(supplies, A, 3n))
  })

  test.each(["data.mdb", "lock.mdb", "serac.lock.mdb"])("%s alone", async (name) => {
    const dir = await closedStore()
    const store = closing(openLmdbStore({ dir }))
    renameSync(join(dir, name), join(dir, "..", name))
    expect(() => commit(store, (diff) => diff.put(supplies, A, 2n))).toThrow(refusing("store.replaced"))
  })

  test("the note about the holder may be deleted, since it is not the lock", async () => {
    const dir = await closedStore()
    const child = run(process.execPath, [committer, dir, "wait"])
    expect((await child.lines.next()).value).toBe("open")
    rmSync(join(dir, LOCK_FILE))
    expect(() => openLmdbStore({ dir })).toThrow(refusing("store.locked", { pid: child.process.pid }))
    child.process.kill("SIGKILL")
    await child.rest()
  })
})

describe("the files of the lock", () => {
  test("a note of another process is left alone, and so is every file of a directory that is refused", async () => {
    const dir = await closedStore()
    const store = openLmdbStore({ dir })
    writeFileSync(join(dir, LOCK_FILE), JSON.stringify({ pid: 1, file: "other" }))
    await store.close()
    expect(JSON.parse(readFileSync(join(dir, LOCK_FILE), "utf8"))).toEqual({ pid: 1, file: "other" })
    const foreign = temporaryDirectory()
    writeFileSync(join(foreign, "data.mdb"), Buffer.alloc(50_000, 3))
    expect(() => openLmdbStore({ dir: foreign })).toThrow(refusing("store.damaged"))
    expect(readdirSync(foreign)).toEqual(["data.mdb"])
  })

  test("a lock file that was cut is named, and ends nothing", async () => {
    const dir = await closedStore()
    truncateSync(join(dir, "serac.lock.mdb"), 4096)
    expect(() => openLmdbStore({ dir })).toThrow(refusing("store.damaged", { file: "serac.lock.mdb" }))
    rmSync(join(dir, "serac.lock.mdb"))
    expect(closing(openLmdbStore({ dir })).latest.get(supplies, A)).toBe(1n)
  })

  test("a copy of a directory with its lock is free", async () => {
    const dir = await closedStore()
    closing(openLmdbStore({ dir }))
    const copy = join(temporaryDirectory(), "copy")
    cpSync(dir, copy, { recursive: true })
    expect(closing(openLmdbStore({ dir: copy })).latest.get(supplies, A)).toBe(1n)
  })
})

test("a fresh directory takes at most 400 kB", async () => {
  const dir = await closedStore()
  const bytes = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).blocks * 512, 0)
  expect(bytes).toBeLessThanOrEqual(400_000)
})
