import { randomUUID } from "node:crypto"
import type { MetaChanges } from "../../store/meta.js"
import { vmError } from "../../vmhost/errors.js"
import type { HostedParts } from "./l1Parts.js"
import { hasOwnData } from "./l1Record.js"

/** The maximum number of bytes that snapshots of L1s keep in memory. */
const MAX_KEPT = 2 ** 30

/** The L1s at the moments of the snapshots of the P-Chain. */
export class L1Moments {
  readonly #moments = new Map<number, readonly HostedParts[]>()
  readonly #maxKept: number

  constructor(maxKept = MAX_KEPT) {
    this.#maxKept = maxKept
  }

  get count(): number {
    return this.#moments.size
  }

  /** The L1s of all moments. One that was removed since is among them. */
  get all(): readonly HostedParts[] {
    return [...this.#moments.values()].flat()
  }

  /** Takes a snapshot of the P-Chain, and marks the same moment of these L1s, which are between two blocks. Throws `vm.own_data` and `vm.snapshots_full`. */
  async take<T extends { readonly id: number }>(l1s: readonly HostedParts[], take: () => Promise<T>): Promise<T> {
    for (const { record, dataDir } of l1s) if (hasOwnData(dataDir)) throw vmError("vm.own_data", { l1: record.name })
    const kept = [...new Set(this.all.map(({ database }) => database))].reduce((sum, { keptBytes }) => sum + keptBytes, 0)
    if (kept > this.#maxKept) throw vmError("vm.snapshots_full", { bytes: kept, limit: this.#maxKept })
    const taken = await take()
    for (const { database } of l1s) database.mark(taken.id)
    this.#moments.set(taken.id, l1s)
    return taken
  }

  /**
   * Reverts the P-Chain, then ends all VMs with `end`, and puts the data of the L1s back. Returns the L1s of that moment. If the node is
   * killed meanwhile, the meta values of the P-Chain say whether the next start finishes the revert of the L1s.
   */
  async revert<T>(id: number, revert: (meta: MetaChanges) => Promise<T>, end: () => Promise<unknown>) {
    const l1s = this.#moments.get(id) ?? []
    const name = randomUUID()
    let result: T
    try {
      for (const { database } of l1s) database.planRevert(id, name)
      result = await revert({ l1Revert: name })
    } catch (error) {
      for (const { database } of l1s) database.endRevert(undefined)
      throw error
    }
    await end()
    for (const { database } of l1s) {
      database.endRevert(name)
      database.rewindTo(id)
    }
    return { result, l1s }
  }

  /** Forgets all moments but these. */
  keepOnly(ids: readonly number[]): void {
    for (const id of [...this.#moments.keys()]) if (!ids.includes(id)) this.#moments.delete(id)
    for (const { database } of this.all) database.keepMarks(ids)
  }
}
