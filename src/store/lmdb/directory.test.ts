import { spawnSync } from "node:child_process"
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { tables } from "../../core/state/tables.js"
import { idOfByte } from "../../core/state/view.contract.js"
import { closing, commit, temporaryDirectory } from "../store.fixture.js"
import { openLmdbStore } from "./openLmdbStore.js"

/** The permissions of a path: `700`. */
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

async function closedStore(): Promise<string> {
  const dir = join(temporaryDirectory(), "data", "chain")
  const store = openLmdbStore({ dir })
  commit(store, (diff) => diff.put(tables.supplies, idOfByte("0a"), 1n))
  await store.close()
  return dir
}

describe("only the owner may read a store, whatever the umask", () => {
  let before: number
  beforeEach(() => {
    before = process.umask(0o022)
  })
  afterEach(() => void process.umask(before))

  test("its directories, its files and its backup", async () => {
    const dir = await closedStore()
    const copy = join(temporaryDirectory(), "copy", "chain")
    const store = closing(openLmdbStore({ dir }))
    await store.backup(copy)
    const paths = ["..", ".", "data.mdb", "lock.mdb"].map((name) => join(dir, name))
    expect(paths.map(modeOf)).toEqual(["700", "700", "600", "600"])
    expect(["..", ".", "data.mdb"].map((name) => modeOf(join(copy, name)))).toEqual(["700", "700", "600"])
  })

  test("one that is there keeps the modes that its owner gave it", async () => {
    const dir = await closedStore()
    chmodSync(dir, 0o750)
    chmodSync(join(dir, "data.mdb"), 0o640)
    closing(openLmdbStore({ dir }))
    expect([modeOf(dir), modeOf(join(dir, "data.mdb"))]).toEqual(["750", "640"])
  })
})

/** Runs a step as a user who may read nothing of this one's. */
function asStranger<T>(step: () => T): T {
  const own = process.geteuid?.()
  if (own !== 0) return step()
  process.seteuid?.(65_534)
  try {
    return step()
  } finally {
    process.seteuid?.(own)
  }
}

test("a directory or data file that the user may not read is refused as unreadable, for reading and for writing", async () => {
  const dir = await closedStore()
  const refused = expect.objectContaining({ code: "store.not_readable", data: expect.objectContaining({ dir }) })
  const open = (readOnly: boolean) => () => asStranger(() => openLmdbStore({ dir, readOnly }))
  for (const path of ["..", "."]) chmodSync(join(dir, path), 0o755)
  chmodSync(dirname(dirname(dir)), 0o755)
  chmodSync(join(dir, "data.mdb"), 0o000)
  expect(open(true)).toThrow(refused)
  chmodSync(dir, 0o000)
  for (const readOnly of [false, true]) expect(open(readOnly)).toThrow(refused)
  chmodSync(dir, 0o700)
})

describe("links in a prepared directory cannot redirect writes", () => {
  const victimBytes = "precious"
  const victim = (): string => {
    const path = join(temporaryDirectory(), "victim")
    writeFileSync(path, victimBytes)
    return path
  }
  const refused = (name: string, found: string) =>
    expect.objectContaining({ code: "store.link", data: expect.objectContaining({ name, found }) })

  test("files that have another name too are refused, and keep what they hold", async () => {
    for (const name of ["serac.lock.probe", "lock.mdb"]) {
      const dir = await closedStore()
      const target = victim()
      spawnSync("rm", ["-f", join(dir, name)])
      linkSync(target, join(dir, name))
      for (const readOnly of [false, true])
        expect(() => openLmdbStore({ dir, readOnly })).toThrowError(refused(name, "hard link"))
      expect(readFileSync(target, "utf8")).toBe(victimBytes)
    }
  })

  for (const name of [
    "serac.lock",
    "serac.lock.mdb",
    "serac.lock.mdb-lock",
    "serac.lock.new",
    "serac.lock.probe",
    "lock.mdb",
    "data.mdb",
  ]) {
    for (const readOnly of [false, true]) {
      test(`${name} is a link, opened ${readOnly ? "for reading" : "to write"}`, async () => {
        const dir = await closedStore()
        const target = victim()
        spawnSync("rm", ["-f", join(dir, name)])
        symlinkSync(target, join(dir, name))
        expect(() => openLmdbStore({ dir, readOnly })).toThrow(refused(name, "link"))
        expect(readFileSync(target, "utf8")).toBe(victimBytes)
      })
    }
  }

  test("a link whose target does not exist makes no file there", () => {
    const dir = temporaryDirectory()
    const target = join(temporaryDirectory(), "made")
    symlinkSync(target, join(dir, "serac.lock.probe"))
    expect(() => openLmdbStore({ dir })).toThrow(refused("serac.lock.probe", "link"))
    expect(statSync(target, { throwIfNoEntry: false })).toBeUndefined()
  })

  test("the directory itself is a link, also for a backup", async () => {
    const real = await closedStore()
    const dir = join(temporaryDirectory(), "chain")
    symlinkSync(real, dir)
    expect(() => openLmdbStore({ dir })).toThrow(refused("chain", "link"))
    const empty = join(temporaryDirectory(), "copy")
    symlinkSync(temporaryDirectory(), empty)
    const store = closing(openLmdbStore({ dir: real }))
    await expect(store.backup(empty)).rejects.toEqual(refused("copy", "link"))
  })

  test("a pipe, which would never answer, or a directory has the name of a file", async () => {
    const piped = await closedStore()
    spawnSync("rm", [join(piped, "lock.mdb")])
    spawnSync("mkfifo", [join(piped, "lock.mdb")])
    expect(() => openLmdbStore({ dir: piped })).toThrow(refused("lock.mdb", "special file"))
    const nested = temporaryDirectory()
    mkdirSync(join(nested, "data.mdb"))
    expect(() => openLmdbStore({ dir: nested })).toThrow(refused("data.mdb", "directory"))
  })
})

test("files that killed processes have left half written go with the next start of a writer", async () => {
  const dir = await closedStore()
  const left = ["serac.lock.0123456789ab.probe", "serac.lock.4711.new", "serac.lock.clean.4711.new"]
  for (const name of left) writeFileSync(join(dir, name), "half")
  await openLmdbStore({ dir, readOnly: true }).close()
  expect(readdirSync(dir)).toEqual(expect.arrayContaining(left))
  await openLmdbStore({ dir }).close()
  expect(readdirSync(dir).filter((name) => left.includes(name))).toEqual([])
})

test("a data directory behind a link that leads nowhere is refused with the link's name, and nothing is made", () => {
  const link = join(temporaryDirectory(), "gone")
  symlinkSync("/nowhere/at/all", link)
  const dir = join(link, "data", "chain")
  expect(() => openLmdbStore({ dir })).toThrow(expect.objectContaining({ code: "store.dangling", data: { dir, link } }))
})
