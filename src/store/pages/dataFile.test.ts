import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { attempts, Random, seed } from "../../../test/fuzz/random.js"
import { load } from "../../core/crypto/load.js"
import { allTables } from "../../core/state/tables.js"
import { groupsIn, nextGroup } from "../groups.fixture.js"
import { openLmdbStore } from "../openLmdbStore.js"
import { PageFile, PageKind } from "../pageFile.js"
import { stateHash } from "../stateHash.js"
import { closing, temporaryDirectory } from "../store.fixture.js"
import { checkDataFile } from "./dataFile.js"
import { type MetaPage, newestMeta } from "./metaPages.js"
import { PageFault } from "./pageNodes.js"
import { walkBranches, walkPages } from "./pageWalk.js"

let good: string
let bytes: Buffer
let hash: string

beforeAll(async () => {
  good = mkdtempSync(join(tmpdir(), "serac-pages-"))
  const store = openLmdbStore({ dir: good })
  for (let i = 0; i < 5; i++) store.commit(nextGroup(store.latest))
  hash = stateHash(store.latest, allTables)
  await store.close()
  bytes = readFileSync(join(good, "data.mdb"))
})

afterAll(() => rmSync(good, { recursive: true }))

/** A directory whose data file is the good one, changed. */
function damaged(change: (path: string) => void): string {
  const dir = join(temporaryDirectory(), "damaged")
  mkdirSync(dir)
  const path = join(dir, "data.mdb")
  copyFileSync(join(good, "data.mdb"), path)
  change(path)
  return dir
}

function overwrite(path: string, damage: Buffer, at: number): void {
  const file = openSync(path, "r+")
  writeSync(file, damage, 0, damage.length, at)
  closeSync(file)
}

const codeOf = (action: () => unknown): unknown => {
  try {
    action()
    return undefined
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

/** Returns the code with which a directory is refused for reading. */
async function readerCodeOf(dir: string): Promise<unknown> {
  try {
    await openLmdbStore({ dir, readOnly: true }).close()
    return undefined
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

test("an undamaged file is read without an error, any number of times", () => {
  for (const depth of ["ends", "branches", "whole"] as const) checkDataFile(good, depth)
})

test("each page in use is reported once, when it is read", () => {
  const file = new PageFile(join(good, "data.mdb"))
  const meta = newestMeta(file) as MetaPage
  const pages = { all: 0, branches: 0 }
  walkPages(file, meta, () => pages.all++)
  walkBranches(file, meta, () => pages.branches++)
  file.close()
  const used = bytes.length / 4096 - 2
  expect(pages.branches).toBeGreaterThan(0)
  expect(pages.all).toBeGreaterThan(pages.branches)
  expect(pages.all).toBeLessThanOrEqual(used)
})

test("a long value that was replaced by a shorter one in the same transaction keeps its pages, and is not damage", async () => {
  const dir = damaged(() => {})
  const root = load<typeof import("lmdb")>("lmdb").open({ path: join(dir, "data.mdb"), noSubdir: true, maxDbs: 100 })
  const rows = root.openDB<Buffer, string>("rows", { encoding: "binary" })
  root.transactionSync(() => {
    for (const [key, size] of Object.entries({ shorter: 9000, short: 100, empty: 0 })) {
      rows.put(key, Buffer.alloc(20_000, 1))
      rows.put(key, Buffer.alloc(size, 2))
    }
  })
  // Each value has the five pages of 20,000 bytes and their head.
  expect(rows.getStats()).toMatchObject({ entryCount: 3, overflowPages: 15 })
  await root.close()
  for (const depth of ["ends", "branches", "whole"] as const) checkDataFile(dir, depth)
})

describe("a file that was cut is refused before LMDB maps it, to write and to read", () => {
  test.each([0, 1, 31, 32, 100, 4096, 8191, 8192, 12_288, "half"] as const)("to %s bytes", (size) => {
    const dir = damaged((path) => truncateSync(path, size === "half" ? bytes.length / 2 : size))
    const found = [codeOf(() => openLmdbStore({ dir })), codeOf(() => openLmdbStore({ dir, readOnly: true }))]
    expect(found).toEqual(["store.truncated", "store.truncated"])
  })

  test("an empty file is refused and does not become a new store", () => {
    const dir = damaged((path) => writeFileSync(path, ""))
    expect(codeOf(() => openLmdbStore({ dir }))).toBe("store.truncated")
    expect(readFileSync(join(dir, "data.mdb")).length).toBe(0)
  })

  test("pages at the end that are free may be missing", () => {
    const file = new PageFile(join(good, "data.mdb"))
    const meta = newestMeta(file)
    file.close()
    if ("fault" in meta) throw new Error(meta.fault)
    const used = (Number(meta.lastPage) + 1) * meta.pageSize
    const dir = damaged((path) => writeFileSync(path, Buffer.concat([bytes.subarray(0, used), Buffer.alloc(50_000)])))
    expect(stateHash(closing(openLmdbStore({ dir })).latest, allTables)).toBe(hash)
  })
})

describe("a file with changed pages is refused, or has the same rows", () => {
  test.each([0, 1])("meta page %s of noise, or of zeroes", (page) => {
    for (const byte of [0, 0x5a]) {
      const dir = damaged((path) => overwrite(path, Buffer.alloc(4096, byte), page * 4096))
      const codes = [codeOf(() => openLmdbStore({ dir })), codeOf(() => openLmdbStore({ dir, readOnly: true }))]
      expect(codes).toEqual(["store.damaged", "store.damaged"])
    }
  })

  test("a page that leads to others is found without reading the leaves, as in files that are too large to be read at every start", () => {
    const pages = Array.from({ length: bytes.length / 4096 }, (_, page) => page)
    const branches = pages.filter((page) => page >= 2 && bytes.readUInt16LE(page * 4096 + 18) === PageKind.branch)
    const faultOf = (path: string) => {
      const file = new PageFile(path)
      try {
        walkBranches(file, newestMeta(file) as MetaPage)
        return undefined
      } catch (error) {
        return error
      } finally {
        file.close()
      }
    }
    expect(faultOf(join(good, "data.mdb"))).toBeUndefined()
    const found = branches.map((page) => {
      const dir = damaged((path) => overwrite(path, Buffer.alloc(4096), page * 4096))
      return {
        isFound: faultOf(join(dir, "data.mdb")) instanceof PageFault,
        isUsed: codeOf(() => checkDataFile(dir, "whole")) !== undefined,
      }
    })
    expect(found.filter(({ isUsed }) => isUsed).length).toBeGreaterThan(0)
    expect(found.filter(({ isFound, isUsed }) => isFound !== isUsed)).toEqual([])
  })

  test("any other page: noise, zeroes, a byte of its head", async () => {
    const random = new Random(seed("damaged pages"))
    const pages = bytes.length / 4096
    const outcomes = { refused: 0, same: 0 }
    for (let i = 0; i < attempts(300, 30); i++) {
      const page = 2 + random.below(pages - 2)
      const damage = random.pick([Buffer.alloc(4096), Buffer.from(random.bytes(4096)), Buffer.from(random.bytes(1))])
      const at = page * 4096 + (damage.length === 1 ? random.below(24) : 0)
      const dir = damaged((path) => overwrite(path, damage, at))
      const code = codeOf(() => checkDataFile(dir, "whole"))
      expect([undefined, "store.damaged"]).toContain(code)
      expect(await readerCodeOf(dir)).toBe(code)
      outcomes[code === undefined ? "same" : "refused"]++
      if (code !== undefined) continue
      // The page was free: readers do not read it, and a writer overwrites it.
      const store = openLmdbStore({ dir })
      expect(stateHash(store.latest, allTables)).toBe(hash)
      const groups = groupsIn(store.latest)
      store.commit(nextGroup(store.latest))
      expect(groupsIn(store.latest)).toBe(groups + 1n)
      await store.close()
    }
    expect(outcomes.refused).toBeGreaterThan(0)
    expect(outcomes.same).toBeGreaterThan(0)
  })
})
