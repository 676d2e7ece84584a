import { RecentCache } from "../lib/recentCache.js"
import { type Address, addressText } from "../types/address.js"
import { type ID, idText, type NodeID, nodeIDText } from "../types/id.js"

/** Writes IDs, node IDs and addresses of one network as people know them, and remembers the last ones. */
export interface Texts {
  id(value: ID): string
  node(value: NodeID): string
  address(value: Address): string
}

/** Number of texts that are remembered of each kind, at least. */
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
  const known = new RecentCache<string>(REMEMBERED)
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const text = spell(value)
    known.set(value, text)
    return text
  }
}
