import { expect, test } from "vitest"
import { tables } from "../../core/state/tables.js"
import { openDevnet, TEST_START } from "../devnet.fixture.js"
import { producerError } from "../errors.js"
import { grantTo } from "../funds/treasury.js"
import { PrivateChain } from "../privateChain.js"
import type { ChainTurn } from "./chainTurn.js"

const address = "ab".repeat(20) as never

/** A private chain that counts the writes to its store and the settings of its timers. */
async function countedChain() {
  const { chain: first, store, machine } = await openDevnet()
  await first.stop()
  const counts = { blocks: 0, clocks: 0, timers: 0 }
  const commit = store.commit.bind(store)
  store.commit = (edits, options) => {
    if (edits.size > 0) counts.blocks++
    if (options?.meta?.clockOffset !== undefined) counts.clocks++
    commit(edits, options)
  }
  const after: typeof machine.timers.after = (...timer) => {
    counts.timers++
    return machine.timers.after(...timer)
  }
  const timers = { ...machine.timers, after }
  const chain = new PrivateChain({ ...first.options, timers })
  await chain.start()
  Object.assign(counts, { blocks: 0, clocks: 0, timers: 0 })
  return { chain, counts, store }
}

const pay = (turn: ChainTurn) => turn.extend([turn.treasury.pay(turn.written(), [grantTo(address)], turn.now())])

test("a turn writes its blocks and its clock once, at its end, and sets the timers once", async () => {
  const { chain, counts, store } = await countedChain()
  await chain.turn(async (turn) => {
    turn.moveClock(TEST_START + 10n)
    turn.moveClock(TEST_START + 20n)
    await pay(turn)
    expect(counts).toEqual({ blocks: 0, clocks: 0, timers: 0 })
  })
  expect(counts).toEqual({ blocks: 1, clocks: 1, timers: 1 })
  expect([chain.status.lastAccepted.height, store.getMeta("clockOffset")]).toEqual([1n, 20n])
})

test("a turn that changes nothing writes nothing", async () => {
  const { chain, counts } = await countedChain()
  await chain.turn(() => {})
  expect(counts).toEqual({ blocks: 0, clocks: 0, timers: 1 })
})

test("a turn that is refused writes the blocks that it had made", async () => {
  const { chain, counts } = await countedChain()
  const refused = chain.turn(async (turn) => {
    await pay(turn)
    throw producerError("producer.dropped")
  })
  await expect(refused).rejects.toMatchObject({ code: "producer.dropped" })
  expect([counts.blocks, chain.status.lastAccepted.height]).toEqual([1, 1n])
})

test("a turn with a fault writes nothing", async () => {
  const { chain, counts } = await countedChain()
  const failed = chain.turn(async (turn) => {
    await pay(turn)
    throw new Error("a fault")
  })
  await expect(failed).rejects.toThrow("a fault")
  expect(counts.blocks).toBe(0)
})

test("a turn inside a turn throws, and the chain continues", async () => {
  const { chain } = await openDevnet()
  const nested = chain.turn(async () => {
    await new Promise(setImmediate)
    await chain.turn(() => {})
  })
  await expect(nested).rejects.toThrow("a task of the queue must not wait for another task of the same queue")
  await chain.turn(async (turn) => void (await pay(turn)))
  expect(chain.status.lastAccepted.height).toBe(1n)
})

test("a listener of a turn, and a timer that it sets, can begin a turn", async () => {
  const { chain } = await openDevnet()
  const begun: Promise<unknown>[] = []
  const stop = chain.onAccepted(() => {
    stop()
    begun.push(chain.turn(async (turn) => void (await pay(turn))))
    begun.push(new Promise((resolve) => setTimeout(() => resolve(chain.turn(async (turn) => void (await pay(turn)))))))
  })
  await chain.turn(async (turn) => void (await pay(turn)))
  await Promise.all(begun)
  expect(chain.status.lastAccepted.height).toBe(3n)
})

test("a transaction is processing until its block is written, also after the mempool has lost it", async () => {
  const { chain, store } = await countedChain()
  await chain.turn(async (turn) => {
    const tx = turn.treasury.pay(turn.written(), [grantTo(address)], turn.now())
    await turn.extend([tx])
    expect([chain.status.pool.has(tx.id), store.latest.get(tables.txs, tx.id), chain.txStatus(tx.id)]).toEqual([
      false,
      undefined,
      { status: "Processing" },
    ])
  })
})

test.each<[string, (turn: ChainTurn) => unknown]>([
  ["extend the chain", (turn) => turn.extend([])],
  ["move the clock", (turn) => turn.moveClock(TEST_START + 1n)],
  ["apply overrides", (turn) => turn.applyOverrides([])],
  ["write rows", (turn) => turn.commit(new Map())],
])("after its end a turn cannot %s", async (_, change) => {
  const { chain } = await openDevnet()
  const turn = await chain.turn((turn) => turn)
  await expect((async () => change(turn))()).rejects.toThrow("the turn at the private chain is over")
})
