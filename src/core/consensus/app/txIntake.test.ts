import { expect, test } from "vitest"
import { changeOf, firstUnspent, localNetwork, payment } from "../../../../test/fixtures/longChain.js"
import { chainError } from "../../chain/errors.js"
import { Mempool } from "../../chain/mempool.js"
import { concatBytes } from "../../lib/bytes.js"
import type { Tx } from "../../txs/tx.js"
import type { NodeID } from "../../types/id.js"
import { TxIntake } from "./txIntake.js"

const peer = "aa".repeat(20) as NodeID
const { rules } = localNetwork()
const first = payment(firstUnspent, rules)
const second = payment(changeOf(first), rules)

const fault = new TypeError("a fault")

/** An intake that refuses some transactions, and the outcome of each. */
function intake(refused: Set<Tx["id"]>, accepted: ReadonlySet<Tx["id"]> = new Set(), faulty: ReadonlySet<Tx["id"]> = new Set()) {
  const seen = {
    admitted: 0,
    verified: [] as Tx["id"][],
    faults: [] as unknown[],
    now: 0,
    /** Milliseconds that each verification takes. */
    cost: 0,
    charged: {} as Record<NodeID, number>,
    turns: [] as number[],
    gone: undefined as NodeID | undefined,
  }
  const pool = new Mempool()
  const taking = new TxIntake({
    pool,
    checkSize({ length }) {
      if (length > 400_000) throw chainError("chain.tx_too_large_before_helicon")
    },
    async admit(tx) {
      seen.verified.push(tx.id)
      seen.now += seen.cost
      if (refused.has(tx.id)) throw chainError("chain.conflicting_tx")
      if (faulty.has(tx.id)) throw fault
      pool.add(tx, { gas: 1n, burned: 1n })
    },
    isAccepted: (txID) => accepted.has(txID),
    senders: {
      stakeShareOf: () => 0,
      isConnected: (nodeID) => nodeID !== seen.gone,
      hasToWait: (nodeID) => (seen.charged[nodeID] ?? 0) > 500,
      charge: (nodeID, milliseconds) => {
        seen.charged[nodeID] = (seen.charged[nodeID] ?? 0) + milliseconds
      },
    },
    now: () => seen.now,
    soon: (callback) => {
      seen.turns.push(seen.now)
      callback()
    },
    onAdmitted: () => void seen.admitted++,
    onFault: (error) => void seen.faults.push(error),
  })
  const take = async (...txs: readonly (Tx | Uint8Array)[]) => {
    taking.take(
      txs.map((tx) => (tx instanceof Uint8Array ? tx : tx.bytes)),
      peer,
    )
    // All work is done in the microtasks that follow.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { seen, pool, take, taking }
}

test("valid transactions of other nodes wait for a block; known and accepted ones, and bytes that are no transaction, are ignored", async () => {
  const { seen, pool, take } = intake(new Set(), new Set([second.id]))
  await take(first, second, Uint8Array.of(1, 2, 3), first)
  await take(first)
  expect([[...pool].map(({ id }) => id), seen.verified, seen.admitted, seen.faults]).toEqual([[first.id], [first.id], 1, []])
})

test("a refused transaction is verified again after two seconds, when the block that it depends on may have come", async () => {
  const refused = new Set([second.id])
  const { seen, pool, take } = intake(refused)
  await take(second)
  refused.clear()
  seen.now = 1_999
  await take(second)
  expect([seen.verified.length, pool.size]).toEqual([1, 0])
  seen.now = 2_000
  await take(second)
  expect([seen.verified.length, pool.has(second.id)]).toEqual([2, true])
})

test("transactions that wait stay bytes, 2 MiB and one of them for a node, and are no longer than their message in memory", async () => {
  const { seen, taking } = intake(new Set())
  const junk = (i: number) => new Uint8Array(300_000).fill(i)
  taking.take(
    Array.from({ length: 100 }, (_, i) => junk(i)),
    peer,
  )
  expect(taking.waitingBytes).toBe(7 * 300_000)
  taking.take([junk(200)], "bb".repeat(20) as NodeID)
  expect(taking.waitingBytes).toBe(8 * 300_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect([taking.waitingBytes, seen.verified, seen.faults]).toEqual([0, [], []])
})

test("a transaction that is too large is refused before it is decoded, and not looked at again for two seconds", async () => {
  const { seen, taking, take } = intake(new Set())
  const large = concatBytes(first.bytes, new Uint8Array(400_000))
  await take(large)
  taking.take([large], peer)
  expect(taking.waitingBytes).toBe(0)
  seen.now = 2_000
  taking.take([large], peer)
  expect([taking.waitingBytes, seen.verified, seen.faults]).toEqual([large.length, [], []])
})

test("a fault while a transaction is verified is reported, and the next one is verified", async () => {
  const { seen, pool, take, taking } = intake(new Set(), new Set(), new Set([first.id]))
  await take(first, second)
  expect([seen.faults, seen.verified, pool.has(second.id), taking.waitingBytes]).toEqual([
    [fault],
    [first.id, second.id],
    true,
    0,
  ])
})

test("of the transactions of a message 1,024 are looked at, known ones included", () => {
  let lookedAt = 0
  const { taking } = intake(new Set(), {
    has: () => ++lookedAt > 0,
  } as unknown as ReadonlySet<Tx["id"]>)
  const items = Array.from({ length: 65_536 }, (_, i) => Uint8Array.of(i, i >> 8))
  taking.take(items, peer)
  expect([lookedAt, taking.waitingBytes]).toEqual([1_024, 0])
})

test("others run between transactions, each of which its sender pays for; those of a sender in debt wait, and those of one that is gone are forgotten", async () => {
  const { seen, taking } = intake(new Set())
  const other = "bb".repeat(20) as NodeID
  const txs: Tx[] = [first]
  while (txs.length < 200) txs.push(payment(changeOf(txs.at(-1)!), rules))
  seen.cost = 12
  taking.take(
    txs.slice(0, 100).map(({ bytes }) => bytes),
    peer,
  )
  taking.take(
    txs.slice(100, 110).map(({ bytes }) => bytes),
    other,
  )
  await new Promise((resolve) => setImmediate(resolve))
  // 42 of the first sender, until it is in debt, and all of the other one.
  expect([seen.verified.length, seen.charged]).toEqual([52, { [peer]: 504, [other]: 120 }])
  expect(Math.max(...seen.turns.map((at, i) => at - (seen.turns[i - 1] ?? 0)))).toBe(12)
  seen.charged[peer] = 400
  taking.tick()
  await new Promise((resolve) => setImmediate(resolve))
  expect(seen.verified.length).toBe(61)
  seen.gone = peer
  taking.tick()
  await new Promise((resolve) => setImmediate(resolve))
  expect([seen.verified.length, taking.waitingBytes]).toEqual([61, 0])
})
