import { join } from "node:path"
import { expect, test } from "vitest"
import { encode } from "../../core/codec/decode.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { ID } from "../../core/types/id.js"
import { temporaryDirectory } from "../store.fixture.js"
import { openLmdbStore } from "./openLmdbStore.js"

test("the bytes of a row are those of its encoded value, whatever its size, at the latest and at an earlier moment", async () => {
  const store = openLmdbStore({ dir: join(temporaryDirectory(), "a.store") })
  const idOf = (i: number) => i.toString(16).padStart(64, "0") as ID
  const rows = [0, 1, 500, 5_000, 100_000].map((size, i) => [idOf(i), new Uint8Array(size).fill(i + 1)] as const)
  const put = (change: (bytes: Uint8Array) => Uint8Array) => {
    const diff = new Diff(store.latest)
    for (const [id, bytes] of rows) diff.put(tables.blocks, id, change(bytes))
    store.commit(diff.edits)
  }
  put((bytes) => bytes)
  const before = store.view()
  put((bytes) => new Uint8Array(bytes.length + 3).fill(9))
  // Published rows print the bytes in this way.
  const hexAt = (view: typeof before, id: ID) => {
    const bytes = view.bytesAt?.(tables.blocks, tables.blocks.key.toText(id))
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")
  }
  const hexOf = (bytes: Uint8Array) => Buffer.from(encode(tables.blocks.value, bytes)).toString("hex")
  for (const [id, bytes] of rows) {
    expect(hexAt(before, id)).toBe(hexOf(bytes))
    const latest = store.view()
    expect(hexAt(latest, id)).toBe(hexOf(new Uint8Array(bytes.length + 3).fill(9)))
    latest.release()
  }
  expect(hexAt(before, idOf(99))).toBeUndefined()
  before.release()
  await store.close()
})
