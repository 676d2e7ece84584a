import type { PChainOwner } from "../../core/types/owners.js"
import { described, list } from "../../jsonrpc/schema/kinds.js"
import { u32Text, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { converted } from "../../jsonrpc/schema/outputs.js"
import { addressOutput } from "../kinds.js"

/** The most addresses of an owner that are printed at once. A transaction has room for 47,000 of them. */
export const OWNERS_AT_ONCE = 1024

/** An owner as API structures show it. */
export const ownerOutput = object({
  locktime: described(u64, "The time in Unix seconds until which the owner is locked."),
  threshold: u32Text,
  addresses: list(addressOutput),
})

/** An owner in an L1's structures, which has no lock, in the same form. */
export const pChainOwnerOutput = converted(ownerOutput, (owner: PChainOwner) => ({ locktime: 0n, ...owner }))
