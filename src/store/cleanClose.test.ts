import { once } from "node:events"
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { bundle, run } from "../../test/child.js"
import { Random } from "../../test/fuzz/random.js"
import { tables } from "../core/state/tables.js"
import { depthAtOpening } from "./cleanClose.js"
import { openLmdbStore } from "./openLmdbStore.js"
import { PageFile, PageKind } from "./pageFile.js"
import { newestMeta } from "./pages/metaPages.js"
import { randomID, randomUtxo } from "./rows.fixture.js"
import { commit, temporaryDirectory } from "./store.fixture.js"
import { systemFiles } from "./storeFiles.js"

let committer: string
beforeAll(() => {
  committer = bundle("src/store/committer.fixture.ts")
})
afterAll(() => rmSync(committer, { force: true }))

/** A store of more than 32 MiB with some rows, and one very long one. */
async function largeStore(): Promise<string> {
  const dir = join(temporaryDirectory(), "store")
  const store = openLmdbStore({ dir })
  const random = new Random(1)
  commit(store, (diff) => {
    diff.insert(tables.blocks, randomID(random), new Uint8Array(33 << 20))
    for (let i = 0; i < 500; i++) diff.insert(tables.utxos, randomID(random), randomUtxo(random))
  })
  await store.close()
  return dir
}

/** Lists the leaves of the file that are in use, by page number. */
function leavesOf(path: string): readonly number[] {
  const file = new PageFile(path)
  const meta = newestMeta(file)
  if ("fault" in meta) throw new Error(meta.fault)
  const pages = Array.from({ length: Number(meta.lastPage) + 1 }, (_, page) => page)
  const leaves = pages.filter((page) => {
    const head = file.read(page * 4096, 24)
    return page >= 2 && Number(head.readBigUInt64LE(0)) === page && head.readUInt16LE(18) === PageKind.leaf
  })
  file.close()
  return leaves
}

function overwrite(path: string, page: number, bytes: Uint8Array): void {
  const handle = openSync(path, "r+")
  writeSync(handle, bytes, 0, bytes.length, page * 4096)
  closeSync(handle)
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
      // LMDB lets go of a file in the next turn, and cannot open it in another way before.
      await setImmediate()
    }
  }
  return codes
}

test("a damaged leaf of a large file is found at the start, by writers and readers, although it was closed cleanly", async () => {
  const dir = await largeStore()
  const path = join(dir, "data.mdb")
  const leaves = leavesOf(path)
  expect([statSync(path).size > 1 << 25, leaves.length > 10]).toEqual([true, true])
  const good = readFileSync(path)
  const codes = new Set<unknown>()
  for (const leaf of [leaves[3], leaves.at(-1)] as number[]) {
    for (const damage of [new Uint8Array(4096), new Random(leaf).bytes(4096)]) {
      overwrite(path, leaf, damage)
      // A program that copies files may set this time back; the system keeps another one.
      utimesSync(path, 1_700_000_000, 1_700_000_000)
      for (const code of await codesOf(dir)) codes.add(code)
      overwrite(path, leaf, good.subarray(leaf * 4096, leaf * 4096 + 4096))
    }
  }
  expect(codes).toEqual(new Set(["store.damaged"]))
  expect(await codesOf(dir)).toEqual([undefined, undefined])
})

test("a large file is read whole unless it is as a writer left it, or a writer has it open", async () => {
  const dir = await largeStore()
  expect(depthAtOpening(dir)).toBe("branches")
  const copy = join(temporaryDirectory(), "copy")
  mkdirSync(copy)
  for (const name of ["data.mdb", "serac.lock.clean"]) copyFileSync(join(dir, name), join(copy, name))
  expect(depthAtOpening(copy)).toBe("whole")
  utimesSync(join(dir, "data.mdb"), 1_700_000_000, 1_700_000_000)
  expect(depthAtOpening(dir)).toBe("whole")
  const child = run(process.execPath, [committer, dir, "wait"])
  await child.lines.next()
  expect(depthAtOpening(dir)).toBe("branches")
  const exited = once(child.process, "exit")
  child.process.kill("SIGKILL")
  // Its output may end before the system has released its lock.
  await Promise.all([exited, child.rest()])
  expect(depthAtOpening(dir)).toBe("whole")
  await openLmdbStore({ dir }).close()
  expect(depthAtOpening(dir)).toBe("branches")
})

test("a store whose last write failed, or whose note cannot be written, is read whole at the next start", async () => {
  const dir = await largeStore()
  let isFull = false
  const failing = (error: string) => () => {
    throw Object.assign(new Error(error), { code: error })
  }
  const files = { ...systemFiles, freeBytes: () => (isFull ? failing("EIO")() : 2 ** 40) }
  const store = openLmdbStore({ dir, files })
  isFull = true
  expect(() => commit(store, (diff) => diff.insert(tables.supplies, randomID(new Random(9)), 1n))).toThrow()
  await store.close()
  expect(depthAtOpening(dir)).toBe("whole")
  await openLmdbStore({ dir, files: { ...systemFiles, rename: renameUnless(/clean/) } }).close()
  expect(depthAtOpening(dir)).toBe("whole")
  await openLmdbStore({ dir }).close()
  expect(depthAtOpening(dir)).toBe("branches")
})

/** Renames all files but those with such names, which fail. */
const renameUnless = (names: RegExp) => (from: string, to: string) => {
  if (names.test(to)) throw Object.assign(new Error("EIO"), { code: "EIO" })
  systemFiles.rename(from, to)
}

test("a small file is read whole at every start", async () => {
  const dir = join(temporaryDirectory(), "store")
  await openLmdbStore({ dir }).close()
  expect(depthAtOpening(dir)).toBe("whole")
  writeFileSync(join(dir, "serac.lock.clean"), "nonsense")
  expect(await codesOf(dir)).toEqual([undefined, undefined])
})
