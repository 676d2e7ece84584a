import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { bundle, run } from "../../../test/child.js"
import { attempts, Random, seed } from "../../../test/fuzz/random.js"
import { allTables } from "../../core/state/tables.js"
import { faultsIn } from "../maintenance/check.js"
import { stateHash } from "../maintenance/stateHash.js"
import { MemoryStore } from "../memory/memoryStore.js"
import { temporaryDirectory } from "../store.fixture.js"
import { groupsIn, nextGroup } from "./groups.fixture.js"
import { openLmdbStore } from "./openLmdbStore.js"

let committer: string
beforeAll(() => {
  committer = bundle("src/store/lmdb/committer.fixture.ts")
})
afterAll(() => rmSync(committer, { force: true }))

/** Opens the store and makes sure that it holds whole groups, all that were acknowledged, and nothing else. */
async function check(dir: string, undisturbed: MemoryStore, acknowledged: bigint): Promise<void> {
  const store = openLmdbStore({ dir })
  const groups = groupsIn(store.latest)
  expect(groups).toBeGreaterThanOrEqual(acknowledged)
  while (groupsIn(undisturbed.latest) < groups) undisturbed.commit(nextGroup(undisturbed.latest))
  expect(stateHash(store.latest, allTables)).toBe(stateHash(undisturbed.latest, allTables))
  expect(faultsIn(store.latest, allTables)).toEqual([])
  await store.close()
}

test("a writer that is killed at any moment loses no acknowledged commit, and leaves no partial one", async () => {
  const random = new Random(seed("kill test"))
  const dir = join(temporaryDirectory(), "store")
  const undisturbed = new MemoryStore()
  let acknowledged = 0n
  for (let i = 0; i < attempts(60, 20); i++) {
    const child = run(process.execPath, [committer, dir])
    expect((await child.lines.next()).value).toBe("open")
    // Some groups, then a part of the next one.
    for (let group = random.below(6); group > 0; group--) acknowledged = BigInt((await child.lines.next()).value)
    const until = performance.now() + random.below(10_000) / 1000
    while (performance.now() < until);
    child.process.kill("SIGKILL")
    acknowledged = BigInt((await child.rest()).at(-1) ?? acknowledged)
    await check(dir, undisturbed, acknowledged)
  }
  expect(acknowledged).toBeGreaterThan(0n)
}, 600_000)

test("a file that may not grow ends in a clear error, and all that was acknowledged is there", async () => {
  const dir = join(temporaryDirectory(), "store")
  // The largest file that the process may write, in blocks of 512 bytes.
  const child = run("sh", ["-c", `ulimit -f 3000; exec "$0" "$@"`, process.execPath, committer, dir])
  const lines = await child.rest()
  expect(lines.at(-1)).toBe("store.file_limit")
  await check(dir, new MemoryStore(), BigInt(lines.at(-2) as string))
  const store = openLmdbStore({ dir })
  expect(groupsIn(store.latest)).toBe(BigInt(lines.at(-2) as string))
  store.commit(nextGroup(store.latest))
  await store.close()
})
