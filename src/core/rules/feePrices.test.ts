import { expect, test } from "vitest"
import { crypto } from "../../platform/backends.js"
import { paramsFor } from "../networks/index.js"
import { LOCAL_ID } from "../networks/names.js"
import { upTo } from "../networks/upgrades.js"
import { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import { emptyView } from "../state/view.js"
import type { ID } from "../types/id.js"
import type { Rules } from "./context.js"
import { beginPriceRecord, feePricesAfter, feePricesOf, recentFeePrices, recordPriceChanges } from "./feePrices.js"

const { dynamicFee, validatorFee, ...params } = paramsFor(LOCAL_ID)
const rules: Rules = {
  crypto,
  networkID: LOCAL_ID,
  avaxAssetID: "" as ID,
  upgrades: upTo("granite"),
  params: {
    ...params,
    dynamicFee: { ...dynamicFee, minPrice: 1n, excessConversionConstant: 100n },
    validatorFee: { ...validatorFee, minPrice: 10n, excessConversionConstant: 1000n },
  },
}

/** The gas excess and the validator excess after each block. */
const EXCESSES: readonly (readonly [bigint, bigint])[] = [
  [0n, 0n],
  [300n, 0n],
  [310n, 0n],
  [310n, 0n],
  [0n, 900n],
  [0n, 901n],
  [700n, 0n],
]

/** A chain of such blocks, of which those up to `recordsFrom` were accepted by a version that did not record prices. */
function chainOf(excesses: typeof EXCESSES, recordsFrom = 0) {
  const head = new Diff(emptyView)
  const prices = excesses.map(([excess, l1Excess], i) => {
    const changes = new Diff(head)
    changes.put(tables.gas, null, { capacity: 0n, excess })
    changes.put(tables.l1Excess, null, l1Excess)
    if (i > recordsFrom) recordPriceChanges(changes, rules, BigInt(i))
    if (i === recordsFrom) beginPriceRecord(changes, rules, BigInt(i))
    changes.applyTo(head)
    return { height: BigInt(i), ...feePricesOf(head, rules) }
  })
  return { head, prices }
}

test("the prices after every block are those that the state led to then", () => {
  const { head, prices } = chainOf(EXCESSES)
  expect(prices.map(({ gas, validator }) => [gas, validator])).toEqual([
    [1n, 10n],
    [20n, 10n],
    [22n, 10n],
    [22n, 10n],
    [1n, 24n],
    [1n, 24n],
    [1096n, 10n],
  ])
  const last = BigInt(EXCESSES.length - 1)
  for (let limit = 1; limit <= EXCESSES.length + 1; limit++)
    expect(recentFeePrices(head, rules, { last, limit })).toEqual(prices.slice(-limit))
  for (const [from, to] of [
    [0n, 0n],
    [1n, 4n],
    [2n, 2n],
    [3n, last],
  ] as const)
    for (let limit = 1; limit <= 4; limit++)
      expect(recentFeePrices(head, rules, { last, limit, from, to })).toEqual(
        prices.slice(Number(from), Number(to) + 1).slice(-limit),
      )
  for (const { height, ...expected } of prices) expect(feePricesAfter(head, rules, height, last)).toEqual(expected)
})

test.each([3, 4, 6])("prices of blocks before the record, which began after block %i, are omitted", (recordsFrom) => {
  const { head, prices } = chainOf(EXCESSES, recordsFrom)
  const last = BigInt(EXCESSES.length - 1)
  expect(recentFeePrices(head, rules, { last, limit: 60 })).toEqual(prices.slice(recordsFrom))
  expect(recentFeePrices(head, rules, { last, limit: 60, to: BigInt(recordsFrom) - 1n })).toEqual([])
  const known = prices.map(({ height }) => feePricesAfter(head, rules, height, last))
  expect(known).toEqual(prices.map(({ height, ...each }) => (height < recordsFrom ? undefined : each)))
})

test("a state without any record knows the prices after its last block only", () => {
  const { head, prices } = chainOf(EXCESSES, EXCESSES.length)
  const last = BigInt(EXCESSES.length - 1)
  expect(recentFeePrices(head, rules, { last, limit: 60 })).toEqual(prices.slice(-1))
  expect([feePricesAfter(head, rules, last - 1n, last), feePricesAfter(head, rules, last, last)]).toEqual([
    undefined,
    { gas: 1096n, validator: 10n },
  ])
})

test("a block that leaves the prices as they were adds no row", () => {
  const { head } = chainOf(EXCESSES)
  expect([...head.rows(tables.priceDiffs)].map(([height]) => height)).toEqual([1n, 2n, 4n, 6n])
})
