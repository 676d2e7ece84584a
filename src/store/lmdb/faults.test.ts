/**
 * Errors at every write, sync, rename, link, removal and open of a run.
 *
 * How an error is injected honestly: LMDB is native code that writes with pwrite and fdatasync of its own, which no JavaScript can make
 * fail. Everything else uses `StoreFiles`, among it a write to a file of the store before each commit (see `DiskRoom`), so a full,
 * failing or read-only disk meets the store there first; `npm test` fails every one of these calls, one a run. What LMDB itself does is
 * failed by the operating system: with a limit of the file's size in `npm test` (killed.test.ts), and with `strace -e inject` at every
 * pwrite64, writev, fdatasync, fsync, openat and rename of a process in `npm run soak`, where strace is present and allowed.
 *
 * After each run the store is opened again, undisturbed, and must hold exactly what was acknowledged: the same hash over all rows as a
 * store in memory that nothing disturbed, and indexes that agree.
 */

import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bundle, run } from "../../../test/child.js"
import { isSoak, needsSoak } from "../../../test/fuzz/random.js"
import { needs } from "../../../test/needs.js"
import { Invalid } from "../../core/lib/invalid.js"
import { allTables } from "../../core/state/tables.js"
import { isFinalFailure } from "../errors.js"
import { faultsIn } from "../maintenance/check.js"
import { stateHash } from "../maintenance/stateHash.js"
import { MemoryStore } from "../memory/memoryStore.js"
import { temporaryDirectory } from "../store.fixture.js"
import { CODES_BY_ERROR, failingAt } from "./failingFiles.fixture.js"
import { groupsIn, nextGroup } from "./groups.fixture.js"
import { LOCK_FILE } from "./holderNote.js"
import { openLmdbStore } from "./openLmdbStore.js"
import type { StoreFiles } from "./storeFiles.js"

const NAMES = Object.keys(CODES_BY_ERROR)

/** Hash of the store after each number of groups. */
const hashes: string[] = []
beforeAll(() => {
  const undisturbed = new MemoryStore()
  for (let i = 0; i <= 8; i++) {
    hashes.push(stateHash(undisturbed.latest, allTables))
    undisturbed.commit(nextGroup(undisturbed.latest))
  }
})

/** Opens a store, commits and closes, twice; continues after a failed commit. Returns the acknowledged groups and the refusals. */
async function runWith(dir: string, files: StoreFiles): Promise<{ readonly acknowledged: number; readonly refusals: string[] }> {
  let acknowledged = 0
  const refusals: string[] = []
  const note = (error: unknown) => {
    if (!(error instanceof Invalid)) throw error
    refusals.push(error.code)
  }
  for (const until of [2, 4]) {
    try {
      const store = openLmdbStore({ dir, files })
      while (groupsIn(store.latest) < until) {
        try {
          store.commit(nextGroup(store.latest))
          acknowledged = Number(groupsIn(store.latest))
          expect(store.failure).toBeUndefined()
        } catch (error) {
          note(error)
          expect(store.failure).toBe(error)
          // Reads show the acknowledged state.
          expect(stateHash(store.latest, allTables)).toBe(hashes[acknowledged])
          if (isFinalFailure(error)) break
        }
      }
      await store.close()
    } catch (error) {
      note(error)
    }
  }
  return { acknowledged, refusals }
}

/** Opens the store without faults, and checks its content. */
async function expectExactly(dir: string, acknowledged: number): Promise<void> {
  const store = openLmdbStore({ dir })
  expect([groupsIn(store.latest), stateHash(store.latest, allTables)]).toEqual([BigInt(acknowledged), hashes[acknowledged]])
  expect(faultsIn(store.latest, allTables)).toEqual([])
  store.checkFile()
  store.commit(nextGroup(store.latest))
  expect(stateHash(store.latest, allTables)).toBe(hashes[acknowledged + 1])
  await store.close()
}

test("an error at any call of the store itself is named, and a restart gives exactly what was acknowledged", async () => {
  const counting = failingAt(0, "EIO")
  const undisturbed = join(temporaryDirectory(), "store")
  expect(await runWith(undisturbed, counting.files)).toEqual({ acknowledged: 4, refusals: [] })
  const total = counting.calls()
  expect(total).toBeGreaterThan(30)
  for (let n = 1; n <= total; n += isSoak ? 1 : 2) {
    for (const name of isSoak ? NAMES : [NAMES[n % NAMES.length] as string]) {
      const dir = join(temporaryDirectory(), "store")
      const { files } = failingAt(n, name)
      const { acknowledged, refusals } = await runWith(dir, files)
      // An error while a closing store removes its leftover files is not reported.
      expect(refusals.length === 0 || refusals[0] === CODES_BY_ERROR[name], `call ${n} of ${total}: ${refusals}`).toBe(true)
      await expectExactly(dir, acknowledged)
    }
  }
}, 600_000)

const strace = ["strace", "-f", "-qq"]
const canInject = !isSoak || spawnSync(strace[0] as string, [...strace.slice(1), "-o", "/dev/null", "true"]).status === 0

describe("errors of the operating system", isSoak ? needs(canInject, "strace") : needsSoak, () => {
  let rounds: string
  beforeAll(() => {
    rounds = bundle("src/store/lmdb/rounds.fixture.ts")
  })
  afterAll(() => rmSync(rounds, { force: true }))

  /** Runs the program under strace, which observes such calls on the files of the store. Returns its output. */
  async function traced(dir: string, call: string, options: readonly string[]): Promise<readonly string[]> {
    const files = [dir, ...["data.mdb", "lock.mdb", LOCK_FILE, `${LOCK_FILE}.mdb`].map((name) => join(dir, name))]
    // Only the store renames files, and their names are random.
    const paths = call === "rename" ? [] : files.flatMap((file) => ["-P", file])
    const calls = ["-e", `trace=${call}`, ...options, ...paths]
    const child = run(strace[0] as string, [...strace.slice(1), ...calls, process.execPath, rounds, dir, "4"])
    const ended = once(child.process, "exit")
    const lines = await child.rest()
    const [code, signal] = await ended
    return code === 0 || code === 1 ? lines : [...lines, `ended ${signal ?? code}`]
  }

  /** Counts the calls that the program makes where nothing fails. */
  async function countOf(call: string): Promise<number> {
    const folder = temporaryDirectory()
    const log = join(folder, "calls")
    await traced(join(folder, "store"), call, ["-o", log])
    return readFileSync(log, "utf8").split("\n").length - 1
  }

  test.each(["pwrite64", "writev", "fdatasync", "fsync", "openat", "rename"])(
    "at any %s on the files of the store",
    async (call) => {
      const calls = await countOf(call)
      expect(calls).toBeGreaterThan(0)
      for (let n = 1; n <= calls; n++) {
        const name = NAMES[n % NAMES.length] as string
        const dir = join(temporaryDirectory(), "store")
        const lines = await traced(dir, call, ["-e", `inject=${call}:error=${name}:when=${n}`, "-o", "/dev/null"])
        const acknowledged = Number(lines.filter((line) => /^\d+$/.test(line)).at(-1) ?? 0)
        const refusals = lines.filter((line) => line.startsWith("store."))
        const expected = [[], [CODES_BY_ERROR[name]], ["store.write_failed"]]
        expect([lines.filter((line) => line.startsWith("fault")), expected], `${call} ${n}`).toEqual([
          [],
          expect.arrayContaining([refusals]),
        ])
        // lmdb 3.5.6 ends the process where LMDB itself cannot open a file, after all of them could be opened a moment before.
        const end = lines.filter((line) => line.startsWith("ended"))
        expect(end.length === 0 || (call === "openat" && lines.length === 1), `${call} ${n}: ${lines}`).toBe(true)
        // Where LMDB's memory is intact, the same process continues and commits everything.
        if (lines[0] === "open" && !refusals.includes("store.write_failed")) expect(acknowledged, `${call} ${n}`).toBe(4)
        await expectExactly(dir, acknowledged)
      }
    },
    3_600_000,
  )
})
