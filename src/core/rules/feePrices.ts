import type { Diff } from "../state/diff.js"
import { type FeePrices, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { gasOf, l1ExcessOf } from "./chainTime.js"
import type { Rules } from "./context.js"
import { priceOf } from "./gas.js"

/** Returns the prices that a state leads to. */
export function feePricesOf(view: View, { params }: Rules): FeePrices {
  return { gas: priceOf(params.dynamicFee, gasOf(view).excess), validator: priceOf(params.validatorFee, l1ExcessOf(view)) }
}

/**
 * Records the prices before a block under its height if the block changed them. The diff lies on the state before the block. Undone
 * from the newest on, these rows give the prices after every block.
 */
export function recordPriceChanges(diff: Diff, rules: Rules, height: bigint): void {
  const before = feePricesOf(diff.parent, rules)
  const after = feePricesOf(diff, rules)
  if (before.gas !== after.gas || before.validator !== after.validator) diff.put(tables.priceDiffs, height, before)
}

/** The prices after a block. */
export interface FeePricesAt extends FeePrices {
  readonly height: bigint
}

/** Returns the prices after each of the last blocks, at most `limit`, oldest first. `height` is that of the last accepted block. */
export function recentFeePrices(view: View, rules: Rules, height: bigint, limit: number): readonly FeePricesAt[] {
  const first = height + 1n > BigInt(limit) ? height + 1n - BigInt(limit) : 0n
  const changes = new Map(view.rows(tables.priceDiffs, { from: first }))
  const newestFirst: FeePricesAt[] = []
  let prices = feePricesOf(view, rules)
  for (let at = height; at >= first; at--) {
    newestFirst.push({ height: at, ...prices })
    prices = changes.get(at) ?? prices
  }
  return newestFirst.reverse()
}
