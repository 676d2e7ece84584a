import type { StatePort } from "../../chain/statePort.js"
import { Diff } from "../../state/diff.js"
import type { ID } from "../../types/id.js"
import { type OuterBlock, readOuterBlock, VERIFIED_BEFORE } from "../proposer/outerBlock.js"
import { wrapperTables } from "../proposer/tables.js"

const { preferredBlocks } = wrapperTables

/**
 * The undecided blocks that a validator votes for, in the store. A validator that was killed votes for the same blocks after its restart.
 * Otherwise several validators that were killed together could vote for other blocks than one that had accepted by their first votes, and
 * neither side would have enough votes any more.
 */
export class PreferredBlocks {
  readonly #state: StatePort
  /** IDs of the blocks in the store, by height. */
  readonly #kept: Map<bigint, ID>

  constructor(state: StatePort) {
    this.#state = state
    this.#kept = new Map([...this.#rows()].map(({ height, id }) => [height, id]))
  }

  /** Returns the stored blocks above a height, lowest first. */
  above(lastAccepted: bigint): OuterBlock[] {
    return [...this.#rows()].filter(({ height }) => height > lastAccepted)
  }

  /** Returns the options of a proposal with the one first that an earlier run voted for, whatever this run would prefer by itself. */
  storedFirst(options: readonly OuterBlock[]): readonly OuterBlock[] {
    const isStored = ({ id, height }: OuterBlock) => this.#kept.get(height) === id
    return [...options.filter(isStored), ...options.filter((option) => !isStored(option))]
  }

  /** Writes the preferred branch if it has a block that is not stored yet. The blocks that it replaces are deleted. */
  keep(branch: readonly OuterBlock[]): void {
    const changed = branch.filter(({ id, height }) => this.#kept.get(height) !== id)
    if (changed.length === 0) return
    const diff = new Diff(this.#state.latest)
    const heights = new Set(branch.map(({ height }) => height))
    for (const height of [...this.#kept.keys()]) {
      if (heights.has(height)) continue
      diff.delete(preferredBlocks, height)
      this.#kept.delete(height)
    }
    for (const { id, height, bytes } of changed) {
      diff.put(preferredBlocks, height, bytes)
      this.#kept.set(height, id)
    }
    this.#state.commit(diff.edits)
  }

  *#rows(): Iterable<OuterBlock> {
    for (const [, bytes] of this.#state.latest.rows(preferredBlocks)) yield readOuterBlock(bytes, VERIFIED_BEFORE)
  }
}
