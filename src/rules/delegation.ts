import { add64 } from "../lib/math64.js"
import type { Staker } from "../state/staker.js"
import type { View } from "../state/view.js"
import { rulesError } from "./errors.js"
import { maxWeight } from "./maxWeight.js"

/** A delegation that someone wants to add: its period (Unix seconds), weight, and what the validator may carry. */
export interface Delegation {
  readonly start: bigint
  readonly end: bigint
  readonly weight: bigint
  readonly limit: bigint
}

/** Throws `rules.over_delegated` where the validator would carry more than its limit at any second of the period. */
export function checkNotOverDelegated(view: View, validator: Staker, { start, end, weight, limit }: Delegation): void {
  const peak = add64(maxWeight(view, validator, start, end), weight)
  if (peak > limit) throw rulesError("rules.over_delegated", { weight: peak, limit })
}
