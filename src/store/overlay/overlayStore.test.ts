import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { allTables, tables } from "../../core/state/tables.js"
import { emptyView } from "../../core/state/view.js"
import { openLmdbStore } from "../lmdb/openLmdbStore.js"
import { loadContract } from "../load.contract.js"
import { allRows } from "../maintenance/copyRows.js"
import { stateHash } from "../maintenance/stateHash.js"
import { MemoryStore } from "../memory/memoryStore.js"
import { randomChanges } from "../rows.fixture.js"
import { storeContract } from "../store.contract.js"
import { closing, temporaryDirectory } from "../store.fixture.js"
import type { Store, StoreTables } from "../store.js"
import { OverlayStore } from "./overlayStore.js"
import { overlayTablesOf } from "./overlayView.js"

const overMemory =
  (openOwn: (tables: StoreTables) => Store) =>
  ({ tables = allTables, tablesBesideChain = [] }: StoreTables = {}) => {
    const overlayTables = overlayTablesOf(tables)
    const own = openOwn({ tables: [...overlayTables.values()], tablesBesideChain })
    return new OverlayStore({ base: new MemoryStore({ tables }), own, overlayTables, tablesBesideChain })
  }

const inMemory = overMemory((tables) => new MemoryStore(tables))
const onDisk = overMemory((tables) => openLmdbStore({ dir: temporaryDirectory(), ...tables, maxBytes: 1 << 26 }))

storeContract("an overlay in memory", inMemory)
loadContract("an overlay in memory", inMemory)
loadContract("an overlay on the disk", onDisk)

describe("an overlay over rows", () => {
  const mixed = (random: Random) => {
    const base = new MemoryStore()
    base.commit(randomChanges(random, base.latest, 200).edits)
    const plain = new MemoryStore()
    plain.commit(allRows(base.latest, allTables))
    const overlayTables = overlayTablesOf(allTables)
    const own = new MemoryStore({ tables: [...overlayTables.values()] })
    return { base, plain, own, overlay: new OverlayStore({ base, own, overlayTables, tablesBesideChain: [] }) }
  }
  const hashNow = ({ latest }: Store) => stateHash(latest, allTables)
  const commitSame = (stores: readonly Store[], random: Random) => {
    const { edits } = randomChanges(random, (stores[0] as Store).latest, 12)
    for (const store of stores) store.commit(edits)
  }

  test("shows what one store with the same changes shows, counts its rows, and leaves the rows below alone", () => {
    const random = new Random(21)
    const { base, plain, overlay } = mixed(random)
    const before = hashNow(base)
    const marks: (readonly [number, number])[] = []
    for (let round = 0; round < 60; round++) {
      commitSame([plain, overlay], random)
      if (random.below(4) === 0) marks.push([plain.snapshot(), overlay.snapshot()])
      if (random.below(6) === 0 && marks.length > 0) {
        const at = random.below(marks.length)
        const [inPlain, inOverlay] = marks[at] as readonly [number, number]
        plain.revert(inPlain)
        overlay.revert(inOverlay)
        marks.length = at + 1
      }
      expect([hashNow(overlay), overlay.statistics().rows]).toEqual([hashNow(plain), plain.statistics().rows])
    }
    expect(hashNow(base)).toBe(before)
  })

  test("equals the store below after a reset, also when tables were cleared", () => {
    const random = new Random(22)
    const { base, overlay } = mixed(random)
    commitSame([overlay], random)
    overlay.commit(new Map(), { clearTables: [tables.utxos, tables.utxosByOwner] })
    expect([...overlay.latest.rows(tables.utxos)]).toEqual([])
    overlay.returnToBase({})
    expect(hashNow(overlay)).toBe(hashNow(base))
  })

  test("replaces every row of the store below by a commit that replaces all, and rebuilds its indexes", () => {
    const random = new Random(23)
    const { plain, own, overlay } = mixed(random)
    const { edits } = randomChanges(random, emptyView, 40)
    for (const store of [plain, overlay]) store.commit(edits, { replaceAll: true })
    commitSame([plain, overlay], random)
    expect(hashNow(overlay)).toBe(hashNow(plain))
    overlay.rebuildIndexes()
    expect([hashNow(overlay), own.getMeta("hiddenTables")?.split(" ")]).toEqual([
      hashNow(plain),
      expect.arrayContaining(["utxos", "utxosByOwner"]),
    ])
  })

  test("rebuilds its indexes over rows of the store below", () => {
    const random = new Random(24)
    const { plain, overlay } = mixed(random)
    for (let round = 0; round < 5; round++) commitSame([plain, overlay], random)
    overlay.rebuildIndexes()
    expect(hashNow(overlay)).toBe(hashNow(plain))
  })

  test("writes both as one store when it is backed up", async () => {
    const random = new Random(25)
    const { plain, overlay } = mixed(random)
    commitSame([plain, overlay], random)
    overlay.putMeta({ networkID: 7 })
    const dir = join(temporaryDirectory(), "copy")
    await overlay.backup(dir)
    const copy = closing(openLmdbStore({ dir, readOnly: true }))
    expect([hashNow(copy), copy.getMeta("networkID")]).toEqual([hashNow(plain), 7])
  })
})
