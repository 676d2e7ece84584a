import type { StatePort } from "../../chain/statePort.js"
import { Diff } from "../../state/diff.js"
import { type OuterBlock, readOuterBlock, VERIFIED_BEFORE } from "../proposer/outerBlock.js"
import { wrapperTables } from "../proposer/tables.js"

const { signedBlocks } = wrapperTables

/**
 * The blocks that this node has signed, in the store, so that it never signs two different ones for one height and slot, even after a kill.
 */
export class SignedBlocks {
  readonly #state: StatePort

  constructor(state: StatePort) {
    this.#state = state
  }

  get(height: bigint, slot: bigint): OuterBlock | undefined {
    const bytes = this.#state.latest.get(signedBlocks, { height, slot })
    return bytes && readOuterBlock(bytes, VERIFIED_BEFORE)
  }

  /** Writes a block before any other node gets it, and forgets those below the last accepted height. */
  put(block: OuterBlock, slot: bigint, lastAccepted: bigint): void {
    const { height, bytes } = block
    if (this.get(height, slot)) throw new Error(`a block was signed for height ${height} and slot ${slot} already`)
    const diff = new Diff(this.#state.latest)
    for (const [key] of this.#state.latest.rows(signedBlocks)) if (key.height < lastAccepted) diff.delete(signedBlocks, key)
    diff.put(signedBlocks, { height, slot }, bytes)
    this.#state.commit(diff.edits)
  }
}
