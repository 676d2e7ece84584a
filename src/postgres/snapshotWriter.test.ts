import { expect, test, vi } from "vitest"
import { silentLog } from "../core/lib/log.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import { SnapshotWriter } from "./snapshotWriter.js"

test("a snapshot that failed is tried again after a pause only, however often blocks are published", async () => {
  const failures: unknown[] = []
  const log = { ...silentLog, warn: (event: string, data?: object) => void failures.push([event, data]) }
  const url = "postgres://serac@127.0.0.1:1/chain"
  const writer = new SnapshotWriter({ url, every: 1, tables: [], readModel: "1", store: new MemoryStore(), log })
  for (let height = 1n; height < 20n; height++) {
    writer.published(height)
    await vi.waitFor(() => expect(failures).toHaveLength(1))
    // What would be tried at once had failed when the writer has stopped.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await writer.stop()
  expect(failures).toEqual([
    ["a snapshot was not written", { height: 1n, reason: expect.stringContaining("ECONNREFUSED"), triedAgainInSeconds: 1 }],
  ])
})
