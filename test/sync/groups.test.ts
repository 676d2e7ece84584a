import { expect, test } from "vitest"
import { toHexText } from "../../src/core/types/hexText.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { type ReplayOptions, replay } from "../../src/sync/replay.js"
import { chainToReplay } from "../../src/tools/chainToReplay.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"

const blocks = [...longChain(localNetwork(), 40)]

async function* entries() {
  let place = 0
  for (const { bytes } of blocks) yield { text: toHexText(bytes), place: ++place }
}

/** Replays the blocks, and gives back the heights at which they were written. */
async function flushesOf(options: Partial<ReplayOptions>): Promise<{ heights: bigint[]; error: unknown }> {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const chain = await chainToReplay(store, { now: 0n, genesisBlockID: blocks[0]!.parentID, trustSignatures: true })
  const heights: bigint[] = []
  const done = replay(entries(), chain, { now: () => 0, ...options, onFlush: (height) => heights.push(height) })
  const error = await done.then(
    () => undefined,
    (reason) => reason,
  )
  return { heights, error }
}

test("blocks that take long are written once a second, and not in a group of a thousand", async () => {
  let milliseconds = 0
  const now = () => milliseconds
  const slow = await flushesOf({ now, onBlock: () => (milliseconds += 300) })
  expect(slow).toEqual({ heights: [4n, 8n, 12n, 16n, 20n, 24n, 28n, 32n, 36n, 40n, 40n], error: undefined })
  expect(await flushesOf({ now })).toEqual({ heights: [40n], error: undefined })
})

test("a replay that is stopped writes the blocks that it executed and reports its height", async () => {
  let height = 0n
  const { heights, error } = await flushesOf({
    onBlock: (at) => {
      height = at
    },
    isStopped: () => height >= 17n,
  })
  expect(heights).toEqual([17n])
  expect(error).toMatchObject({ code: "sync.stopped", data: { height: 17n } })
})
