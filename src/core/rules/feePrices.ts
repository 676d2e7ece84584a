import type { Diff } from "../state/diff.js"
import { type FeePrices, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { gasOf, l1ExcessOf } from "./chainTime.js"
import type { Rules } from "./context.js"
import { priceOf } from "./gas.js"

export function feePricesOf(view: View, { params }: Rules): FeePrices {
  return { gas: priceOf(params.dynamicFee, gasOf(view).excess), validator: priceOf(params.validatorFee, l1ExcessOf(view)) }
}

/** Starts the record of prices with those before the block after this height. Prices after earlier blocks are unknown. */
export function beginPriceRecord(diff: Diff, rules: Rules, height: bigint): void {
  diff.put(tables.priceDiffs, height + 1n, feePricesOf(diff, rules))
}

/**
 * Records the prices before a block under its height if the block changed them. The diff is on the state before the block. Undone from the
 * newest on, these rows give the prices after every block since the first of them.
 */
export function recordPriceChanges(diff: Diff, rules: Rules, height: bigint): void {
  const before = feePricesOf(diff.parent, rules)
  const after = feePricesOf(diff, rules)
  if (before.gas !== after.gas || before.validator !== after.validator) diff.put(tables.priceDiffs, height, before)
}

export interface FeePricesAt extends FeePrices {
  readonly height: bigint
}

/** Returns the prices after a block; `undefined` if the block is older than the record. `last` is the height of the last accepted block. */
export function feePricesAfter(view: View, rules: Rules, height: bigint, last: bigint): FeePrices | undefined {
  if (height === last) return feePricesOf(view, rules)
  if (height < firstKnownHeight(view, last)) return undefined
  for (const [, before] of view.rows(tables.priceDiffs, { from: height + 1n })) return before
  return feePricesOf(view, rules)
}

interface FeePricesQuery {
  /** The height of the last accepted block. */
  readonly last: bigint
  readonly limit: number
  /** The lowest and the highest height; by default 0 and `last`. */
  readonly from?: bigint | undefined
  readonly to?: bigint | undefined
}

/** Returns the prices after each of the last blocks of a part, at most `limit`, oldest first, without blocks that are older than the record. */
export function recentFeePrices(
  view: View,
  rules: Rules,
  { last, limit, from = 0n, to = last }: FeePricesQuery,
): readonly FeePricesAt[] {
  const first = [firstKnownHeight(view, last), from, to + 1n - BigInt(limit)].reduce((a, b) => (a > b ? a : b))
  const after = feePricesAfter(view, rules, to, last)
  if (!after) return []
  const changes = new Map<bigint, FeePrices>()
  for (const [height, before] of view.rows(tables.priceDiffs, { from: first })) {
    if (height > to) break
    changes.set(height, before)
  }
  const newestFirst: FeePricesAt[] = []
  let prices = after
  for (let at = to; at >= first; at--) {
    newestFirst.push({ height: at, ...prices })
    prices = changes.get(at) ?? prices
  }
  return newestFirst.reverse()
}

/** Returns the lowest height after which the prices are known. */
function firstKnownHeight(view: View, last: bigint): bigint {
  const [first] = view.first(tables.priceDiffs) ?? []
  return first === undefined || first > last ? last : first - 1n
}
