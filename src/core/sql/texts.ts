import { LruCache } from "../lib/lruCache.js"
import { type Address, addressText } from "../types/address.js"
import { type ID, idText, type NodeID, nodeIDText } from "../types/id.js"

/** Prints IDs, node IDs and addresses of one network, and caches the last ones. */
export interface Texts {
  id(value: ID): string
  node(value: NodeID): string
  address(value: Address): string
}

/** The number of cached texts of each kind. */
const REMEMBERED = 10_000

/** Makes the texts of a network with this human-readable part. */
export function textsOf(hrp: string): Texts {
  return {
    id: remembering(idText),
    node: remembering(nodeIDText),
    address: remembering((value: Address) => addressText(value, hrp)),
  }
}

function remembering<T extends string>(spell: (value: T) => string): (value: T) => string {
  const known = new LruCache<string>(REMEMBERED)
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const text = spell(value)
    known.set(value, text)
    return text
  }
}
