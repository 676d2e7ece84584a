import { expect, test } from "vitest"
import { silentLog } from "../../core/lib/log.js"
import { nodeTables, tablesBesideChain } from "../../datadir/nodeTables.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import { startPrivateChain } from "./privateNode.js"

test("an idle node whose machine's clock is set forward makes the blocks that have become due, without being asked", async () => {
  const start = 1_790_000_000_000
  let wall = start
  const node = await startPrivateChain(new MemoryStore({ tables: nodeTables, tablesBesideChain }), {
    choice: { now: BigInt(start / 1000) },
    producer: { renewsValidators: false },
    dialect: "contract",
    isPublic: false,
    log: silentLog,
    wall: () => wall,
  })
  const rewarded = new Promise((resolve) => node.privateChain.onAccepted(resolve))
  // The five validators leave after a year.
  wall += 400 * 86_400_000
  expect(await rewarded).toMatchObject({ kind: "block", block: { height: 1n } })
  await node.stop()
})
