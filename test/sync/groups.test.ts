import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test } from "vitest"
import { Chain } from "../../src/core/chain/chain.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { chainToReplay } from "../../src/node/chainToReplay.js"
import { nodeTables, tablesBesideChain } from "../../src/node/nodeTables.js"
import { MemoryStore } from "../../src/store/memoryStore.js"
import { type ReplayOptions, replay } from "../../src/sync/replay.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"

const blocks = [...longChain(localNetwork(), 40)]

async function* entries() {
  let place = 0
  for (const { bytes } of blocks) yield { text: toHexText(bytes), place: ++place }
}

/** Replays the blocks, and gives back the heights at which they were written. */
async function flushesOf(options: ReplayOptions): Promise<{ heights: bigint[]; error: unknown }> {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const chain = await chainToReplay(store, { now: 0n, genesisBlockID: blocks[0]!.parentID, trustSignatures: true })
  const heights: bigint[] = []
  const done = replay(entries(), chain, { ...options, onFlush: (height) => heights.push(height) })
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

/** A state whose commits are written in the second turn of the event loop, and not in the one that a replay leaves to others. */
class SlowState {
  readonly #store: MemoryStore
  written: Promise<void> | undefined

  constructor(store: MemoryStore) {
    this.#store = store
  }

  get latest() {
    return this.#store.latest
  }

  commit(edits: Parameters<MemoryStore["commit"]>[0]): void {
    this.#store.commit(edits)
    this.written = nextTurn()
      .then(() => nextTurn())
      .then(() => {
        this.written = undefined
      })
  }
}

test("while a group is being written, the next one grows up to its maximum", async () => {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const { rules } = await chainToReplay(store, { now: 0n, genesisBlockID: blocks[0]!.parentID, trustSignatures: true })
  const chain = new Chain({ rules, state: new SlowState(store), trustSignatures: true })
  const heights: bigint[] = []
  const onFlush = (height: bigint) => heights.push(height)
  // All blocks are in one part, which is executed in one turn.
  expect(await replay(entries(), chain, { usualGroupSize: 4, groupSize: 12, onFlush })).toEqual({ executed: 40, skipped: 0 })
  expect(heights).toEqual([4n, 16n, 28n, 40n, 40n])
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
