import type { Address } from "../../core/types/address.js"
import { described, optional, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import type { DevContext } from "./context.js"
import { requireAddresses } from "./params.js"

/** The parameters of an L1's validators, when it is created and later. */
export const l1ValidatorParams = {
  weight: described(withDefault(u64, 100n), "The weight of each validator."),
  balance: described(
    withDefault(u64, 1_000_000_000n),
    "The balance in nAVAX from which each validator pays its fees. A validator without a balance is inactive.",
  ),
  owner: described(
    optional(string),
    "The address that gets the remaining balance and can disable the validator. The default is the well-known key.",
  ),
}

/** Reads the address `owner`, if it is given. Throws `platform.bad_address`. */
export function ownerOf(owner: string | undefined, context: Pick<DevContext, "node">): Address | undefined {
  return owner === undefined ? undefined : requireAddresses([owner], context)[0]
}

/** The seconds by which the clock was moved, as a member of results. */
export const secondsForGas = described(
  u64,
  "The number of seconds by which the clock was moved forward until there was enough gas.",
)
