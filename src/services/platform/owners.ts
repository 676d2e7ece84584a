import type { PChainOwner } from "../../core/types/owners.js"
import { described, list } from "../../jsonrpc/schema/kinds.js"
import { u32Text, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { converted } from "../../jsonrpc/schema/outputs.js"
import { addressOutput } from "../kinds.js"

/** An owner as the API prints it. */
export const ownerOutput = object({
  locktime: described(u64, "The time in Unix seconds until which the owner is locked."),
  threshold: described(u32Text, "The number of addresses that must sign."),
  addresses: list(addressOutput),
})

/** An owner in an L1's structures, which has no locktime, in the same form. */
export const pChainOwnerOutput = converted(ownerOutput, (owner: PChainOwner) => ({ locktime: 0n, ...owner }))
