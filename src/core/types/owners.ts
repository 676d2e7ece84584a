import { list } from "../codec/list.js"
import { oneOf, variant } from "../codec/oneOf.js"
import { u32, u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { address, shortID } from "./address.js"
import { typeError } from "./errors.js"
import { goInterface } from "./registered.js"

/** Owners of an output: `threshold` of `addresses` must sign, from `locktime` on. With threshold 0 and no addresses anyone may spend. */
export const ownerFields = { locktime: u64, threshold: u32, addresses: list(address) }

/** The owners of an output, a reward or a subnet, with their type ID. */
export const outputOwners = variant("OutputOwners", 11, ownerFields, { order: ["addresses", "locktime", "threshold"] })
/** The owners of an output, a reward or a subnet: `threshold` of `addresses` must sign, from `locktime` on. */
export type OutputOwners = TypeOf<typeof outputOwners>

/** An owner that is a field of its own, with its type ID. */
export const owner = oneOf(goInterface("fx.Owner"), outputOwners)
export type Owner = TypeOf<typeof owner>

/** An owner in an L1's structures: no lock time, never a type ID, addresses as cb58 in JSON. */
export const pChainOwner = struct({ threshold: u32, addresses: list(shortID) })
/** An owner in the structures of an L1, without a lock time. */
export type PChainOwner = TypeOf<typeof pChainOwner>

/** Checks that threshold and addresses can be satisfied and are in canonical form. */
export function checkOwner({ threshold, addresses }: { threshold: number; addresses: readonly string[] }): void {
  if (threshold > addresses.length) throw typeError("types.owner_unspendable", { threshold, addresses: addresses.length })
  if (threshold === 0 && addresses.length > 0) throw typeError("types.owner_unoptimized", { addresses: addresses.length })
  if (!isStrictlyAscending(addresses)) throw typeError("types.addresses_unsorted")
}

/** Hex of one size sorts as its bytes do. */
export function isStrictlyAscending(values: readonly (string | number)[]): boolean {
  for (let i = 1; i < values.length; i++) {
    if (!((values[i - 1] as string) < (values[i] as string))) return false
  }
  return true
}
