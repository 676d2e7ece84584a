import { LruCache } from "../../lib/lruCache.js"
import type { NodeID } from "../../types/id.js"
import { mersenneTwister32, mersenneTwister64 } from "./mersenneTwister.js"
import { WeightedDraw, type WeightedValidator } from "./weightedDraw.js"

export const SLOT_SECONDS = 5n

/** Number of proposers that are drawn before Durango; after their windows any node may propose, unsigned. */
const MAX_VERIFY_WINDOWS = 6

/** The seconds after its parent from which on a block must be unsigned, before Durango. */
export const MAX_VERIFY_SECONDS = SLOT_SECONDS * BigInt(MAX_VERIFY_WINDOWS)

/** The number of slots whose owners are kept. */
const MAX_OWNERS = 64

export function slotOf(parentSeconds: bigint, seconds: bigint): bigint {
  return seconds < parentSeconds ? 0n : (seconds - parentSeconds) / SLOT_SECONDS
}

/** Draws the nodes that may propose the block of one height. `chainSource` is the first 8 bytes of the chain's ID as a number: 0 for the P-Chain. */
export class Windower {
  readonly #draw: WeightedDraw
  readonly #source: bigint
  readonly #owners = new LruCache<NodeID>(MAX_OWNERS)

  /** `validators` are those of the primary network at the P-Chain height that the parent's wrapper names. */
  constructor(validators: Iterable<WeightedValidator>, height: bigint, chainSource = 0n) {
    const members = [...validators].filter(({ nodeID }) => /[^0]/.test(nodeID))
    this.#draw = new WeightedDraw(members.sort((a, b) => (a.nodeID < b.nodeID ? -1 : 1)))
    this.#source = chainSource ^ height
  }

  /** Returns the only node that may propose in a slot, since Durango; `undefined` if there are no validators. */
  ownerOf(slot: bigint): NodeID | undefined {
    const known = this.#owners.get(`${slot}`)
    if (known !== undefined) return known
    const [owner] = this.#draw.draw(1, mersenneTwister64(this.#source ^ reversed(slot)))
    if (owner !== undefined) this.#owners.set(`${slot}`, owner)
    return owner
  }

  /** Returns the seconds after the parent from which a node may propose, before Durango. A node that builds draws more windows than one that verifies. */
  delayOf(nodeID: NodeID, windows = MAX_VERIFY_WINDOWS): bigint {
    const seed = Number(BigInt.asUintN(32, this.#source))
    const drawn = this.#draw.draw(windows, mersenneTwister32(seed))
    const position = drawn.indexOf(nodeID)
    return SLOT_SECONDS * BigInt(position < 0 ? drawn.length : position)
  }
}

/** The bits of a number of 64 bits in reverse order. */
function reversed(value: bigint): bigint {
  let out = 0n
  for (let rest = value, i = 0; i < 64; i++, rest >>= 1n) out = (out << 1n) | (rest & 1n)
  return out
}
