import type { ValidatorSet } from "../../rules/validatorSet.js"
import type { Table } from "../../state/table.js"
import { type Member, tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID, NodeID } from "../../types/id.js"
import { eraOfSpells, type Names, plainNames, type Spell } from "./eraOfSpells.js"
import { changesUpTo } from "./setChanges.js"
import type { SetEra } from "./setEra.js"

/** Whether to stop before the changes of a height, so many having been undone. */
export type Stops = (height: bigint, undone: number) => boolean

/** A node's spells, told from the newest on, and what it weighed before them. */
interface Draft {
  weight: bigint
  readonly publicKey: Member["publicKey"]
  readonly spells: Spell[]
}

/** A stretch of a subnet's past, told backwards from a height at which the whole set is known. */
export class Stretch {
  readonly upTo: bigint
  readonly #view: View
  readonly #subnetID: ID
  readonly #drafts = new Map<NodeID, Draft>()
  #from: bigint
  #changes = 0

  constructor(view: View, subnetID: ID, set: ValidatorSet, upTo: bigint) {
    this.#view = view
    this.#subnetID = subnetID
    this.upTo = upTo
    this.#from = upTo
    for (const [nodeID, { weight, publicKey }] of set) this.#drafts.set(nodeID, { weight, publicKey, spells: [] })
  }

  /** How far back it reaches: a height at which the set changed, or the beginning. */
  get from(): bigint {
    return this.#from
  }

  /** How many changes of weights it has. */
  get changes(): number {
    return this.#changes
  }

  /** Undoes changes until it is told to stop. Once only. */
  goBack(stops: Stops): this {
    this.#from = this.#undoWeights(stops)
    for (const { spells, weight, publicKey } of this.#drafts.values()) spells.push({ since: this.#from, weight, publicKey })
    this.#undoKeys()
    return this
  }

  /** The set at the height it reaches back to. */
  setBefore(): ValidatorSet {
    const set: ValidatorSet = new Map()
    for (const [nodeID, { spells }] of this.#drafts) {
      const { weight, publicKey } = spells.at(-1) as Spell
      if (weight > 0n) set.set(nodeID, { weight, publicKey })
    }
    return set
  }

  era(names: Names = plainNames): SetEra {
    return eraOfSpells({ from: this.#from, upTo: this.upTo }, this.#spells(), names)
  }

  *#spells(): Iterable<readonly [NodeID, readonly Spell[]]> {
    for (const [nodeID, { spells, weight, publicKey }] of this.#drafts) {
      yield [nodeID, spells.length > 0 ? spells : [{ since: this.#from, weight, publicKey }]]
    }
  }

  #undoWeights(stops: Stops): bigint {
    let last = this.upTo
    for (const [{ nodeID, height }, { decrease, amount }] of this.#rows(tables.weightDiffs)) {
      if (height === 0n || (height !== last && stops(height, this.#changes))) return height
      last = height
      this.#changes++
      const draft = this.#draftOf(nodeID)
      const { weight, publicKey } = draft
      draft.spells.push({ since: height, weight, publicKey })
      draft.weight = decrease ? weight + amount : weight - amount
    }
    return 0n
  }

  /** Puts the keys right that nodes had before others. */
  #undoKeys(): void {
    for (const [{ nodeID, height }, publicKey] of this.#rows(tables.keyDiffs)) {
      if (height <= this.#from) return
      const spells = this.#drafts.get(nodeID)?.spells
      const at = spells?.findIndex(({ since }) => since <= height) ?? -1
      const spell = spells?.[at]
      if (!spells || !spell) throw new Error(`a key of ${nodeID} changed at height ${height}, and it was never a member`)
      // A key can change while the weight stays.
      if (spell.since < height) spells.splice(at, 0, { ...spell, since: height })
      for (const older of spells.slice(at + 1)) older.publicKey = publicKey
    }
  }

  #rows<K, V>(table: Table<K, V>): Iterable<readonly [K, V]> {
    return this.#view.rows(table, changesUpTo(this.#subnetID, this.upTo))
  }

  #draftOf(nodeID: NodeID): Draft {
    const known = this.#drafts.get(nodeID)
    if (known) return known
    const draft: Draft = { weight: 0n, publicKey: [], spells: [] }
    this.#drafts.set(nodeID, draft)
    return draft
  }
}
