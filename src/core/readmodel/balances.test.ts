import { expect, test } from "vitest"
import { AVAX, addressOfByte, idOfByte } from "../../../test/fixtures/txs.js"
import { MAX64 } from "../lib/math64.js"
import type { ID } from "../types/id.js"
import type { Output } from "../types/output.js"
import type { Utxo } from "../types/utxo.js"
import { BalanceSum } from "./balances.js"

const NOW = 1_000n
const plain = (amount: bigint, locktime = 0n) => ({
  kind: "TransferOutput" as const,
  amount,
  locktime,
  threshold: 1,
  addresses: [addressOfByte(1)],
})
const stakeable = (amount: bigint, locktime: bigint, inner = 0n): Output => ({
  kind: "LockOut",
  locktime,
  output: plain(amount, inner),
})
function sumOf(utxos: readonly Pick<Utxo, "assetID" | "output">[]): BalanceSum {
  const sum = new BalanceSum(NOW)
  for (const utxo of utxos) sum.add(utxo)
  return sum
}
const of = (...outputs: readonly Output[]) => sumOf(outputs.map((output) => ({ assetID: AVAX, output })))
const only = (amount: bigint) => new Map([[AVAX, amount]])
const none = new Map()

test("an output is free from the second on that its lock names", () => {
  expect(of(plain(1n), plain(2n, NOW))).toMatchObject({ unlocked: only(3n), changesAt: undefined })
  expect(of(plain(1n, NOW + 1n))).toMatchObject({ unlocked: none, lockedNotStakeable: only(1n), changesAt: NOW + 1n })
})

test("an output under a stakeable lock can be staked, unless its owner's lock forbids it", () => {
  expect(of(stakeable(1n, NOW + 5n))).toMatchObject({ lockedStakeable: only(1n), changesAt: NOW + 5n })
  expect(of(stakeable(1n, NOW))).toMatchObject({ unlocked: only(1n), lockedStakeable: none })
  expect(of(stakeable(1n, NOW + 5n, NOW + 3n))).toMatchObject({ lockedNotStakeable: only(1n), changesAt: NOW + 3n })
})

test("balances are valid until the first lock opens", () => {
  const all = of(plain(1n, NOW + 9n), stakeable(2n, NOW + 4n), plain(3n), plain(4n, NOW - 1n))
  expect(all).toMatchObject({ total: only(10n), unlocked: only(7n), changesAt: NOW + 4n })
})

test("sums are limited to the largest 64-bit number", () => {
  expect(of(plain(MAX64), plain(5n)).total).toEqual(only(MAX64))
  expect(of(plain(MAX64), plain(5n, NOW + 1n))).toMatchObject({ total: only(MAX64), lockedNotStakeable: only(5n) })
})

test("sums are exact to the last nAVAX", () => {
  const amounts = [2n ** 63n - 1n, 2n ** 32n - 1n, 2n ** 32n - 1n, 2n ** 53n + 1n, 1n]
  expect(of(...amounts.map((amount) => plain(amount))).unlocked).toEqual(only(amounts.reduce((sum, each) => sum + each)))
})

test("assets are summed separately, including one with an amount of zero", () => {
  const utxo = (assetID: ID, amount: bigint) => ({ assetID, output: plain(amount) })
  const other = idOfByte(7)
  const { total } = sumOf([utxo(AVAX, 1n), utxo(other, 0n), utxo(AVAX, 2n)])
  expect(total).toEqual(
    new Map([
      [AVAX, 3n],
      [other, 0n],
    ]),
  )
})
