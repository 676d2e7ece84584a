import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bundle, run } from "../../../test/child.js"
import { needs } from "../../../test/needs.js"
import { storeError } from "../errors.js"
import { closing, temporaryDirectory } from "../store.fixture.js"
import { groupsIn, nextGroup } from "./groups.fixture.js"
import { bootOf, LOCK_FILE, readNote } from "./holderNote.js"
import { openLmdbStore } from "./openLmdbStore.js"
import { systemFiles } from "./storeFiles.js"

let committer: string
beforeAll(() => {
  committer = bundle("src/store/lmdb/committer.fixture.ts")
})
afterAll(() => rmSync(committer, { force: true }))

/** Makes a new store in a process that does not flush it, and kills that after some groups. Returns the directory, and the groups. */
async function killed(): Promise<{ readonly dir: string; readonly groups: bigint }> {
  const dir = join(temporaryDirectory(), "store")
  const child = run(process.execPath, [committer, dir, "lazy"])
  for (let line = 0; line < 4; line++) await child.lines.next()
  child.process.kill("SIGKILL")
  return { dir, groups: BigInt((await child.rest()).at(-1) ?? 3n) }
}

/** Changes the note about the last process as if the machine had been started again since. */
function restartMachine(dir: string): void {
  writeFileSync(join(dir, LOCK_FILE), JSON.stringify({ ...readNote(dir), boot: "another" }))
}

// Elsewhere every commit is flushed, because a restart of the machine would not be noticed.
describe(
  "a new store that is flushed when it is closed",
  needs(bootOf() !== undefined, "Linux (the ID of the machine's start)"),
  () => {
    test("has every commit after a kill, and is flushed when it is opened again", async () => {
      const { dir, groups } = await killed()
      expect(readNote(dir)).toMatchObject({ isUnflushed: true, boot: bootOf() })
      const synced: number[] = []
      const files = { ...systemFiles, sync: (handle: number) => void synced.push(handle) }
      const store = closing(openLmdbStore({ dir, files }))
      expect(synced.length).toBeGreaterThan(0)
      expect(groupsIn(store.latest)).toBeGreaterThanOrEqual(groups)
      expect(readNote(dir)).toMatchObject({ isUnflushed: false })
    })

    test("may stay unflushed in the process that continues", async () => {
      const { dir, groups } = await killed()
      const store = openLmdbStore({ dir, isLazy: true })
      expect(readNote(dir)).toMatchObject({ isUnflushed: true })
      expect(groupsIn(store.latest)).toBeGreaterThanOrEqual(groups)
      store.commit(nextGroup(store.latest))
      await store.close()
      expect(readNote(dir)).toBeUndefined()
    })

    test("is refused if the machine was started again before it was closed, by readers too, and is not changed", async () => {
      const { dir } = await killed()
      restartMachine(dir)
      const before = readFileSync(join(dir, "data.mdb"))
      const refusal = expect.objectContaining({ code: "store.not_flushed", data: { dir } })
      for (const options of [{}, { isLazy: true }, { readOnly: true }, { isRepair: true }]) {
        expect(() => openLmdbStore({ dir, ...options })).toThrow(refusal)
      }
      expect(readFileSync(join(dir, "data.mdb")).equals(before)).toBe(true)
    })

    test("can be copied after a kill: the note of the original does not count", async () => {
      const { dir } = await killed()
      const copy = `${dir}-copy`
      cpSync(dir, copy, { recursive: true })
      restartMachine(copy)
      expect(groupsIn(closing(openLmdbStore({ dir: copy })).latest)).toBeGreaterThan(0n)
    })

    test("leaves no note when it is closed", async () => {
      const dir = join(temporaryDirectory(), "store")
      const store = openLmdbStore({ dir, isLazy: true })
      store.commit(nextGroup(store.latest))
      await store.close()
      expect([readNote(dir), groupsIn(closing(openLmdbStore({ dir })).latest)]).toEqual([undefined, 1n])
    })

    test("names the error if it cannot be flushed, and is refused from then on", async () => {
      const dir = join(temporaryDirectory(), "store")
      let isFailing = false
      const sync = (handle: number) => {
        if (isFailing) {
          isFailing = false
          throw storeError("store.io_error", { dir, cause: "the test" })
        }
        systemFiles.sync(handle)
      }
      const store = openLmdbStore({ dir, isLazy: true, files: { ...systemFiles, sync } })
      store.commit(nextGroup(store.latest))
      isFailing = true
      await expect(store.close()).rejects.toMatchObject({ code: "store.io_error" })
      expect(() => openLmdbStore({ dir })).toThrow(expect.objectContaining({ code: "store.not_flushed" }))
    })
  },
)

test("a store that exists is flushed with every commit, also by a replay", async () => {
  const dir = join(temporaryDirectory(), "store")
  await openLmdbStore({ dir }).close()
  const store = closing(openLmdbStore({ dir, isLazy: true }))
  expect(readNote(dir)).toMatchObject({ isUnflushed: false })
  store.commit(nextGroup(store.latest))
})
