import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { needsSoak, Random } from "../../../test/fuzz/random.js"
import { Diff } from "../../core/state/diff.js"
import { allTables, tables } from "../../core/state/tables.js"
import { idOfByte } from "../../core/state/view.contract.js"
import type { Edits } from "../../core/state/view.js"
import { load } from "../../platform/load.js"
import { faultsIn } from "../maintenance/check.js"
import { stateHash } from "../maintenance/stateHash.js"
import { MemoryStore } from "../memory/memoryStore.js"
import { randomID, randomUtxo } from "../rows.fixture.js"
import { closing, commit, temporaryDirectory } from "../store.fixture.js"
import { openLmdbStore } from "./openLmdbStore.js"

const A = idOfByte("0a")
const { supplies, utxos, blocks } = tables

/** Some parts of a state; another seed gives other rows. */
function partsOf(seed: number): readonly Edits[] {
  const random = new Random(seed)
  const blank = new MemoryStore().latest
  return [0, 1, 2].map(() => {
    const diff = new Diff(blank)
    for (let i = 0; i < 50; i++) diff.insert(utxos, randomID(random), randomUtxo(random))
    return diff.edits
  })
}

async function* inTurns(parts: readonly Edits[], between: () => void = () => {}): AsyncGenerator<Edits, void> {
  for (const part of parts) {
    await new Promise(setImmediate)
    yield part
    between()
  }
}

const hashOfParts = (parts: readonly Edits[]): string => {
  const store = new MemoryStore()
  for (const part of parts) store.commit(part)
  return stateHash(store.latest, allTables)
}

/** Counts the rows of each database of a file, by its name. */
async function rowsByDatabase(dir: string): Promise<Readonly<Record<string, number>>> {
  const root = load<typeof import("lmdb")>("lmdb").open({ path: dir, noSubdir: false, readOnly: true, maxDbs: 200 })
  const names = [...root.getKeys()].map((name) => String(name).replace(/\0$/, ""))
  const rows = names.map((name) => [name, (root.openDB(name, {}).getStats() as { entryCount: number }).entryCount])
  await root.close()
  return Object.fromEntries(rows)
}

test("another process that reads follows a load, and what it held before stays as it was", async () => {
  const dir = join(temporaryDirectory(), "store")
  const writer = closing(openLmdbStore({ dir }))
  commit(writer, (diff) => diff.put(supplies, A, 1n))
  const reader = closing(openLmdbStore({ dir, readOnly: true }))
  for (const seed of [1, 2, 3]) {
    const [held, hash] = [reader.view(), stateHash(writer.latest, allTables)]
    await writer.load(inTurns(partsOf(seed)))
    const now = reader.view()
    const loaded = hashOfParts(partsOf(seed))
    expect([stateHash(held, allTables), stateHash(now, allTables), stateHash(reader.latest, allTables)]).toEqual([
      hash,
      loaded,
      loaded,
    ])
    held.release()
    now.release()
  }
})

test("a kill in the middle of a load leaves the old rows, and the next start gives the pages of the new ones back", async () => {
  const dir = join(temporaryDirectory(), "store")
  const store = closing(openLmdbStore({ dir }))
  await store.load(inTurns(partsOf(1)))
  const copies: string[] = []
  const copyNow = () => {
    const copy = join(temporaryDirectory(), "store")
    mkdirSync(copy)
    copyFileSync(join(dir, "data.mdb"), join(copy, "data.mdb"))
    copies.push(copy)
  }
  await store.load(inTurns(partsOf(2), copyNow))
  expect(copies.length).toBe(3)
  for (const [i, copy] of copies.entries()) {
    expect((await rowsByDatabase(copy)).utxos).toBe(50 * (i + 1))
    const again = openLmdbStore({ dir: copy })
    expect([stateHash(again.latest, allTables), faultsIn(again.latest, allTables)]).toEqual([hashOfParts(partsOf(1)), []])
    await again.close()
    expect(await rowsByDatabase(copy)).toMatchObject({ utxos: 0, "utxos.second": 150 })
  }
})

test("loads that follow each other use the same two databases", async () => {
  const dir = join(temporaryDirectory(), "store")
  const store = openLmdbStore({ dir })
  await store.load(inTurns(partsOf(1)))
  const names = Object.keys(await rowsByDatabase(dir))
  for (const seed of [2, 3, 4, 5]) await store.load(inTurns(partsOf(seed)))
  expect(stateHash(store.latest, allTables)).toBe(hashOfParts(partsOf(5)))
  await store.close()
  expect(Object.keys(await rowsByDatabase(dir))).toEqual(names)
})

test("each part is a commit of its own, between one that begins and one that makes them the state", async () => {
  const store = closing(openLmdbStore({ dir: join(temporaryDirectory(), "store") }))
  const before = store.version()
  await store.load(inTurns(partsOf(1)))
  expect(store.version() - before).toBe(1 + partsOf(1).length + 1)
})

const [BLOCKS, BLOCK_BYTES] = [7_000, 100_000]

test("more bytes than a transaction of LMDB can hold are loaded, in memory that does not grow with them", {
  ...needsSoak,
  timeout: 600_000,
}, async () => {
  const store = closing(openLmdbStore({ dir: join(temporaryDirectory(), "store") }))
  const bytes = new Random(1).bytes(BLOCK_BYTES)
  const before = process.memoryUsage().rss
  let most = 0
  async function* many() {
    const [blank, random] = [new MemoryStore().latest, new Random(2)]
    for (let i = 0; i < BLOCKS; i += 5) {
      const diff = new Diff(blank)
      for (let j = 0; j < 5; j++) diff.insert(blocks, randomID(random), bytes)
      yield diff.edits
      await new Promise(setImmediate)
      most = Math.max(most, process.memoryUsage().rss - before)
    }
  }
  await store.load(many())
  expect(store.statistics().rows.blocks).toBe(BLOCKS)
  expect(most / (BLOCKS * BLOCK_BYTES)).toBeLessThan(0.3)
})
