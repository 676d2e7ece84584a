import { expect, test } from "vitest"
import { paramsFor } from "../networks/index.js"
import { LOCAL_ID } from "../networks/names.js"
import { upTo } from "../networks/upgrades.js"
import { Diff } from "../state/diff.js"
import { emptyView } from "../state/emptyView.js"
import { tables } from "../state/tables.js"
import type { ID } from "../types/id.js"
import type { Rules } from "./context.js"
import { feePricesOf, recentFeePrices, recordPriceChanges } from "./feePrices.js"

const { dynamicFee, validatorFee, ...params } = paramsFor(LOCAL_ID)
const rules: Rules = {
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

function chainOf(excesses: typeof EXCESSES) {
  const head = new Diff(emptyView)
  const prices = excesses.map(([excess, l1Excess], i) => {
    const changes = new Diff(head)
    changes.put(tables.gas, null, { capacity: 0n, excess })
    changes.put(tables.l1Excess, null, l1Excess)
    if (i > 0) recordPriceChanges(changes, rules, BigInt(i))
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
    expect(recentFeePrices(head, rules, last, limit)).toEqual(prices.slice(-limit))
})

test("a block that leaves the prices as they were adds no row", () => {
  const { head } = chainOf(EXCESSES)
  expect([...head.rows(tables.priceDiffs)].map(([height]) => height)).toEqual([1n, 2n, 4n, 6n])
})
