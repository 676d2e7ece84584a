import { LruCache } from "../lib/lruCache.js"
import { type Address, addressText } from "../types/address.js"
import { idText, nodeIDText } from "../types/id.js"

/** The number of cached texts of each kind. */
const REMEMBERED = 10_000

/** Prints IDs, node IDs and addresses of the network with this human-readable part, and caches the last ones. */
export function textsOf(hrp: string) {
  return {
    id: remembering(idText),
    node: remembering(nodeIDText),
    address: remembering((value: Address) => addressText(value, hrp)),
  }
}

export type Texts = ReturnType<typeof textsOf>

function remembering<T extends string>(spell: (value: T) => string): (value: T) => string {
  const known = new LruCache<string>(REMEMBERED)
  return (value) => known.valueOf(value, () => spell(value))
}
