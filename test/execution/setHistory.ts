import { expect } from "vitest"
import { toHex } from "../../src/core/lib/bytes.js"
import { type ValidatorSet, validatorSetAt } from "../../src/core/rules/validatorSet.js"
import { tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"

/** Records every validator set at its height, to compare it with the set that is computed from later changes. */
export class SetHistory {
  readonly #sets: { readonly height: bigint; readonly sets: Readonly<Record<string, unknown>> }[] = []

  remember(height: bigint, view: View): void {
    const sets: Record<string, ValidatorSet> = {}
    for (const [{ subnetID, nodeID }, member] of view.rows(tables.members)) {
      sets[subnetID] ??= new Map()
      sets[subnetID].set(nodeID, member)
    }
    this.#sets.push({ height, sets: Object.fromEntries(Object.entries(sets).map(([id, set]) => [id, shown(set)])) })
  }

  /** Checks that every recorded set can be computed from a view. */
  expectFound(view: View): void {
    const subnets = new Set<ID>([PRIMARY_NETWORK_ID])
    for (const [subnetID] of view.rows(tables.subnets)) subnets.add(subnetID)
    for (const { height, sets } of this.#sets) {
      for (const subnetID of subnets) {
        const found = shown(validatorSetAt(view, subnetID, height))
        expect([height, subnetID, found]).toEqual([height, subnetID, sets[subnetID] ?? {}])
      }
    }
  }
}

function shown(set: ValidatorSet): Record<string, unknown> {
  return Object.fromEntries(
    [...set].map(([nodeID, { weight, publicKey }]) => [nodeID, { weight, key: publicKey && toHex(publicKey) }]),
  )
}
