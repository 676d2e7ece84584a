import { once } from "node:events"
import { copyFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { bundle, run } from "../../../test/child.js"
import { Random } from "../../../test/fuzz/random.js"
import { tables } from "../../core/state/tables.js"
import { randomID, randomUtxo } from "../rows.fixture.js"
import { commit, temporaryDirectory } from "../store.fixture.js"
import { isKnownWhole, wasKilledHere } from "./cleanClose.js"
import { openLmdbStore } from "./openLmdbStore.js"
import { systemFiles } from "./storeFiles.js"

let committer: string
beforeAll(() => {
  committer = bundle("src/store/lmdb/committer.fixture.ts")
})
afterAll(() => rmSync(committer, { force: true }))

/** A store with some rows. */
async function newStore(): Promise<string> {
  const dir = join(temporaryDirectory(), "store")
  const store = openLmdbStore({ dir })
  const random = new Random(1)
  commit(store, (diff) => {
    for (let i = 0; i < 500; i++) diff.insert(tables.utxos, randomID(random), randomUtxo(random))
  })
  await store.close()
  return dir
}

/** The codes that a writer and then a reader are refused with; `undefined` if the store opens. */
async function codesOf(dir: string): Promise<unknown[]> {
  const codes: unknown[] = []
  for (const options of [{ dir }, { dir, readOnly: true }]) {
    try {
      await openLmdbStore(options).close()
      codes.push(undefined)
    } catch (error) {
      codes.push((error as { code?: unknown }).code)
    }
  }
  return codes
}

test("a file that was damaged after it was closed is found at the start, by writers and readers", async () => {
  const dir = await newStore()
  const path = join(dir, "data.mdb")
  const good = readFileSync(path)
  for (const damage of [new Uint8Array(good.length - 8192), new Random(7).bytes(good.length - 8192)]) {
    writeFileSync(path, Buffer.concat([good.subarray(0, 8192), damage]))
    // A program that copies files may set this time back; the system keeps another one.
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    expect(await codesOf(dir)).toEqual(["store.damaged", "store.damaged"])
  }
  writeFileSync(path, good)
  expect(await codesOf(dir)).toEqual([undefined, undefined])
})

test("all rows of a file are read unless it is as a writer left it, or a writer has it open", async () => {
  const dir = await newStore()
  expect(isKnownWhole(dir)).toBe(true)
  const copy = join(temporaryDirectory(), "copy")
  mkdirSync(copy)
  for (const name of ["data.mdb", "serac.lock.clean"]) copyFileSync(join(dir, name), join(copy, name))
  expect(isKnownWhole(copy)).toBe(false)
  utimesSync(join(dir, "data.mdb"), 1_700_000_000, 1_700_000_000)
  expect(isKnownWhole(dir)).toBe(false)
  const child = run(process.execPath, [committer, dir, "wait"])
  await child.lines.next()
  expect(isKnownWhole(dir)).toBe(true)
  const exited = once(child.process, "exit")
  child.process.kill("SIGKILL")
  // Its output may end before the system has released its lock.
  await Promise.all([exited, child.rest()])
  // The system has what the killed process wrote, so the file is only skimmed. A copy of it is read.
  expect([isKnownWhole(dir), wasKilledHere(dir)]).toEqual([false, true])
  const torn = join(temporaryDirectory(), "torn")
  mkdirSync(torn)
  for (const name of ["data.mdb", "serac.lock"]) copyFileSync(join(dir, name), join(torn, name))
  expect([isKnownWhole(torn), wasKilledHere(torn)]).toEqual([false, false])
  await openLmdbStore({ dir }).close()
  expect(isKnownWhole(dir)).toBe(true)
})

test("a store whose last write failed, or whose note cannot be written, is read at the next start", async () => {
  const dir = await newStore()
  let isFull = false
  const failing = (error: string) => () => {
    throw Object.assign(new Error(error), { code: error })
  }
  const files = { ...systemFiles, freeBytes: () => (isFull ? failing("EIO")() : 2 ** 40) }
  const store = openLmdbStore({ dir, files })
  commit(store, (diff) => diff.insert(tables.supplies, randomID(new Random(8)), 1n))
  isFull = true
  expect(() => commit(store, (diff) => diff.insert(tables.supplies, randomID(new Random(9)), 1n))).toThrow()
  await store.close()
  expect(isKnownWhole(dir)).toBe(false)
  const unnoted = openLmdbStore({ dir, files: { ...systemFiles, rename: renameUnless(/clean/) } })
  commit(unnoted, (diff) => diff.insert(tables.supplies, randomID(new Random(9)), 1n))
  await unnoted.close()
  expect(isKnownWhole(dir)).toBe(false)
  await openLmdbStore({ dir }).close()
  expect(isKnownWhole(dir)).toBe(true)
})

/** Renames all files but those with such names, which fail. */
const renameUnless = (names: RegExp) => (from: string, to: string) => {
  if (names.test(to)) throw Object.assign(new Error("EIO"), { code: "EIO" })
  systemFiles.rename(from, to)
}
