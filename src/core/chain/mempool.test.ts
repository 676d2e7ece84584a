import { expect, test } from "vitest"
import { idOfNumber } from "../../../test/fixtures/state.js"
import { inputOf, validTxs } from "../../../test/fixtures/txs.js"
import { refusal } from "../../../test/refusal.js"
import { signedTxOf, type Tx } from "../txs/tx.js"
import type { ID } from "../types/id.js"
import { utxoID } from "../types/utxo.js"
import { chainError } from "./errors.js"
import { Mempool } from "./mempool.js"

/** A transaction with this number for its ID that takes the UTXOs of these numbers. */
function txOf(number: number, ...takes: readonly number[]): Tx {
  const inputs = takes.map((each) => inputOf(idOfNumber(each), 0, 1n))
  return { ...signedTxOf({ ...validTxs.BaseTx, inputs }, []), id: idOfNumber(number) }
}

const utxo = (number: number): ID => utxoID(idOfNumber(number), 0)
const idsIn = (pool: Mempool): number[] => [...pool].map(({ id }) => Number(`0x${id}`))
const drop = (name: "chain.no_gas" | "chain.pool_full") => ({ error: chainError(name), reason: name })

test("transactions are ordered by price, and those of the same price by ID, the larger first", () => {
  const pool = new Mempool()
  pool.add(txOf(1, 1), { gas: 100n, burned: 100n })
  pool.add(txOf(2, 2), { gas: 1n, burned: 3n })
  pool.add(txOf(3, 3), { gas: 50n, burned: 50n })
  expect(idsIn(pool)).toEqual([2, 3, 1])
  expect([pool.size, pool.gasAvailable]).toEqual([3, 999_849n])
})

test("a transaction that spends a UTXO of a waiting one is refused, whatever it pays", () => {
  const pool = new Mempool()
  pool.add(txOf(1, 1, 2), { gas: 10n, burned: 1n })
  expect(refusal(() => pool.add(txOf(2, 2, 3), { gas: 1n, burned: 100n })).code).toBe("chain.conflicting_tx")
  expect(refusal(() => pool.add(txOf(1, 1, 2), { gas: 10n, burned: 1n })).code).toBe("chain.duplicate_tx")
  expect(refusal(() => pool.add(txOf(3, 3), { gas: 0n, burned: 1n })).code).toBe("chain.no_gas")
  pool.remove(idOfNumber(1))
  pool.add(txOf(2, 2, 3), { gas: 1n, burned: 100n })
  expect(idsIn(pool)).toEqual([2])
})

test("a full pool drops strictly cheaper transactions, the cheapest first and no more than necessary", () => {
  const pool = new Mempool(100n)
  pool.add(txOf(1, 1), { gas: 40n, burned: 40n })
  pool.add(txOf(2, 2), { gas: 40n, burned: 80n })
  pool.add(txOf(3, 3), { gas: 30n, burned: 90n })
  expect(idsIn(pool)).toEqual([3, 2])
  pool.add(txOf(4, 4), { gas: 30n, burned: 60n })
  expect(idsIn(pool)).toEqual([3, 4, 2])
  expect(refusal(() => pool.add(txOf(5, 5), { gas: 31n, burned: 62n })).code).toBe("chain.pool_full")
  expect(refusal(() => pool.add(txOf(6, 6), { gas: 101n, burned: 10_000n })).code).toBe("chain.pool_full")
  expect(idsIn(pool)).toEqual([3, 4, 2])
})

test("a transaction that spends a UTXO that a block spent is removed", () => {
  const pool = new Mempool()
  pool.add(txOf(1, 1, 2), { gas: 10n, burned: 1n })
  pool.add(txOf(2, 3), { gas: 10n, burned: 1n })
  pool.add(txOf(3, 4), { gas: 10n, burned: 1n })
  expect(pool.removeConflicts([utxo(1), utxo(2), utxo(4), utxo(9)]).map(({ id }) => id)).toEqual([idOfNumber(1), idOfNumber(3)])
  expect([idsIn(pool), pool.gasAvailable]).toEqual([[2], 999_990n])
})

test("the pool may change while it is iterated", () => {
  const pool = new Mempool()
  for (const number of [1, 2, 3]) pool.add(txOf(number, number), { gas: 1n, burned: BigInt(number) })
  const seen: ID[] = []
  for (const { id } of pool) {
    seen.push(id)
    pool.remove(id)
    pool.remove(idOfNumber(2))
  }
  expect(seen).toEqual([idOfNumber(3), idOfNumber(1)])
  expect([pool.size, pool.gasAvailable]).toEqual([0, 1_000_000n])
})

test("64 drops are remembered, and the least recently read are forgotten first", () => {
  const pool = new Mempool()
  for (let number = 1; number <= 64; number++) pool.markDropped(idOfNumber(number), drop("chain.no_gas"))
  expect(pool.dropOf(idOfNumber(1))?.reason).toBe("chain.no_gas")
  pool.markDropped(idOfNumber(65), drop("chain.pool_full"))
  expect([pool.dropOf(idOfNumber(1))?.reason, pool.dropOf(idOfNumber(2)), pool.dropOf(idOfNumber(65))?.error.code]).toEqual([
    "chain.no_gas",
    undefined,
    "chain.pool_full",
  ])
})

test("a waiting transaction is not remembered as dropped, and a dropped one that is added again is no longer", () => {
  const pool = new Mempool()
  const tx = txOf(1, 1)
  pool.markDropped(tx.id, drop("chain.no_gas"))
  pool.add(tx, { gas: 1n, burned: 1n })
  pool.markDropped(tx.id, drop("chain.no_gas"))
  expect([pool.dropOf(tx.id), pool.has(tx.id), pool.get(tx.id)]).toEqual([undefined, true, tx])
})
