import type { TypeOf } from "../codec/schema.js"
import type { View } from "../state/view.js"
import type { Address } from "../types/address.js"
import { readTables, type stakedOutput } from "./tables.js"

export type StakedOutput = TypeOf<typeof stakedOutput>

/** What any of these addresses has staked, on all subnets, now or in a period that has not begun: each output once. */
export function stakesOf(view: View, addresses: readonly Address[], { validatorsOnly = false } = {}): readonly StakedOutput[] {
  const outputs = new Map<string, StakedOutput>()
  for (const address of addresses) {
    for (const [{ txID, outputIndex }, staked] of view.rows(readTables.stakesByAddress, { prefix: address })) {
      if (staked.isValidator || !validatorsOnly) outputs.set(`${txID}${outputIndex}`, staked)
    }
  }
  return [...outputs.values()]
}
