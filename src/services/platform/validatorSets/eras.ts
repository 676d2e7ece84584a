import { eraAround } from "../../../core/readmodel/sets/pastSets.js"
import { lastSetChange } from "../../../core/readmodel/sets/setChanges.js"
import type { SetEra } from "../../../core/readmodel/sets/setEra.js"
import type { ID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"
import { throughBlocks } from "../cache/throughBlocks.js"
import { keyText, nodeText } from "./nodeTexts.js"

/** How many bytes of eras are kept: some seventy of the primary network, more of small ones. With the other dialect's lines it is twice that. */
const MAX_BYTES = 32 * 1024 * 1024

/** How many are kept at most: those of small sets are small, and one is found by a look at each. */
const MAX_ERAS = 256

/** The eras last asked for, within a bound of bytes. */
export class Eras {
  readonly #maxBytes: number
  readonly #maxEras: number
  readonly #bySubnet = new Map<ID, Set<SetEra>>()
  /** The newest use last. */
  readonly #order = new Map<SetEra, ID>()
  #bytes = 0

  constructor(maxBytes: number, maxEras = MAX_ERAS) {
    this.#maxBytes = maxBytes
    this.#maxEras = maxEras
  }

  find(subnetID: ID, height: bigint): SetEra | undefined {
    for (const era of this.#bySubnet.get(subnetID) ?? []) {
      if (height < era.from || height > era.upTo) continue
      this.#order.delete(era)
      this.#order.set(era, subnetID)
      return era
    }
    return undefined
  }

  add(subnetID: ID, era: SetEra): void {
    const others = this.#bySubnet.get(subnetID) ?? new Set()
    // One that reaches less far is of no more use.
    for (const other of others) if (other.from >= era.from && other.upTo <= era.upTo) this.#drop(other)
    this.#bySubnet.set(subnetID, others.add(era))
    this.#order.set(era, subnetID)
    this.#bytes += era.bytes.length
    for (const oldest of this.#order.keys()) {
      if (this.#bytes <= this.#maxBytes && this.#order.size <= this.#maxEras) break
      this.#drop(oldest)
    }
  }

  clear(): void {
    this.#bySubnet.clear()
    this.#order.clear()
    this.#bytes = 0
  }

  #drop(era: SetEra): void {
    const subnetID = this.#order.get(era) as ID
    const others = this.#bySubnet.get(subnetID)
    others?.delete(era)
    if (others?.size === 0) this.#bySubnet.delete(subnetID)
    this.#order.delete(era)
    this.#bytes -= era.bytes.length
  }
}

const remembered = { node: nodeText, key: keyText }

const erasOf = throughBlocks(() => new Eras(MAX_BYTES))

/** The era that tells a subnet's set at a height; none where it has never had one. */
export function eraOf({ node, view }: Context, subnetID: ID, height: bigint): SetEra | undefined {
  const eras = erasOf(node)
  const known = eras.find(subnetID, height)
  if (known) return known
  // Between two changes the set is the same.
  const changed = lastSetChange(view, subnetID, height)
  if (changed === undefined) return undefined
  const same = eras.find(subnetID, changed)
  if (same) return same
  const era = eraAround(view, subnetID, changed, remembered)
  eras.add(subnetID, era)
  return era
}
