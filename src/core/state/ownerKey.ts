import { sha256Hex } from "../crypto/hash.js"
import { hexToBytes } from "../lib/bytes.js"
import { ADDRESS_SIZE, type Address } from "../types/address.js"
import type { Branded } from "../types/id.js"
import { hexKey } from "./key.js"

/** The maximum number of owners under which an output is listed separately. An output with more is listed once, under its group. */
export const MAX_LISTED_OWNERS = 8

/** The addresses that own an output together, as 20 bytes of their SHA-256. */
export type OwnerGroup = Branded<"OwnerGroup">

/** The owner under which an index lists outputs: an address, or a group of more than 8 addresses. */
export type OwnerKey = Address | OwnerGroup

export const ownerKey = hexKey<OwnerKey>(ADDRESS_SIZE)

/**
 * Returns the keys under which something that these addresses own is listed. A transaction names each owner in 20 bytes, and an index that
 * repeated a long list of owners for each of them would grow with its square.
 */
export function ownerKeysOf(addresses: readonly Address[]): readonly OwnerKey[] {
  if (addresses.length === 1) return addresses
  return addresses.length <= MAX_LISTED_OWNERS ? [...new Set(addresses)] : [groupOf(addresses)]
}

/** Returns the group of these addresses, which owners list in ascending order. */
function groupOf(addresses: readonly Address[]): OwnerGroup {
  return sha256Hex(hexToBytes(addresses.join(""))).slice(0, 2 * ADDRESS_SIZE) as OwnerGroup
}
