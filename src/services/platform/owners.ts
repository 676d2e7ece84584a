import { type Address, addressText } from "../../core/types/address.js"
import type { PChainOwner } from "../../core/types/owners.js"
import { answer } from "../../jsonrpc/result.js"
import { described, list } from "../../jsonrpc/schema/kinds.js"
import { u32Text, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import type { Context } from "../context.js"
import { addressOutput } from "../kinds.js"

const address = answer.address

/** Who owns something, as API structures show it. */
export const ownerAnswer = answer.object({
  locktime: answer.described(answer.digits, "Unix seconds"),
  threshold: answer.digits,
  addresses: answer.list(address),
})

/** An address as this network writes it. */
export const addressOf = (value: Address, { node }: Context): string => addressText(value, node.hrp)

/** An owner as API structures show it; those of L1 validators have no lock. */
export function ownerOf(owner: PChainOwner & { readonly locktime?: bigint }, context: Context) {
  return {
    locktime: (owner.locktime ?? 0n).toString(),
    threshold: owner.threshold.toString(),
    addresses: owner.addresses.map((each) => addressOf(each, context)),
  }
}

/** An owner as API structures show it. */
export const ownerOutput = object({
  locktime: described(u64, "Unix seconds"),
  threshold: u32Text,
  addresses: list(addressOutput),
})
