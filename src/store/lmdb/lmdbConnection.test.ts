import { closeSync, openSync, readSync, writeSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { tables } from "../../core/state/tables.js"
import { idOfByte } from "../../core/state/view.contract.js"
import { closing, commit, temporaryDirectory } from "../store.fixture.js"
import { DATA_FILE } from "./directory.js"
import { openLmdbStore } from "./openLmdbStore.js"

const PAGE_SIZE = 4096
/** The offset of the number of the commit in a meta page. */
const TRANSACTION = 24 + 128

/** Writes the meta page of a next commit, as a writer does before it waits for the disk and then shows the commit to readers. */
function writeNextMeta(dir: string): void {
  const file = openSync(join(dir, DATA_FILE), "r+")
  const pages = [0, 1].map((page) => {
    const bytes = Buffer.alloc(PAGE_SIZE)
    readSync(file, bytes, 0, PAGE_SIZE, page * PAGE_SIZE)
    return bytes
  })
  const [first, second] = pages.map((bytes) => bytes.readBigUInt64LE(TRANSACTION)) as [bigint, bigint]
  const newest = first > second ? 0 : 1
  const next = Buffer.from(pages[newest] as Buffer)
  next.writeBigUInt64LE(pages[1 - newest]?.readBigUInt64LE(0) as bigint, 0)
  next.writeBigUInt64LE((first > second ? first : second) + 1n, TRANSACTION)
  writeSync(file, next, 0, PAGE_SIZE, (1 - newest) * PAGE_SIZE)
  closeSync(file)
}

test("the version of a store that another process writes is that of a snapshot, and not ahead of it", async () => {
  const dir = join(temporaryDirectory(), "store")
  const writer = openLmdbStore({ dir })
  commit(writer, (diff) => diff.put(tables.supplies, idOfByte("0a"), 1n))
  await writer.close()
  const reader = closing(openLmdbStore({ dir, readOnly: true }))
  const before = reader.version()
  writeNextMeta(dir)
  // Readers cannot see the commit yet: a version that is ahead would be noted for the rows from before it.
  expect([reader.version(), reader.version()]).toEqual([before, before])
  expect(() => reader.checkFile()).not.toThrow()
})
