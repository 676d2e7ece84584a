import type { Invalid } from "../../lib/invalid.js"
import type { ID, NodeID } from "../../types/id.js"
import type { OuterBlock } from "../proposer/outerBlock.js"

/** A block that the validators accepted and this node's rules refuse. */
export interface RefusedBlock {
  readonly height: bigint
  readonly blockID: string
  readonly rule: string
  readonly reason: string
}

/** A block that breaks a rule here, and the nodes that have accepted it. */
export interface RefusedCandidate {
  readonly block: OuterBlock
  readonly reason: Invalid
  readonly by: ReadonlySet<NodeID>
}

/** Refusals that may pass with time: the block is not remembered as false. */
const passing: ReadonlySet<string> = new Set(["consensus.time_too_far", "consensus.height_unknown", "consensus.unknown_parent"])

const MAX_REFUSED = 256

/** Remembers the refused blocks, to detect that the network accepts one of them. */
export class RefusedBlocks {
  readonly #blocks = new Map<ID, { readonly block: OuterBlock; readonly reason: Invalid; readonly by: Set<NodeID> }>()

  add(block: OuterBlock, reason: Invalid): void {
    if (passing.has(reason.code) || this.#blocks.has(block.id)) return
    const [oldest] = this.#blocks.keys()
    if (oldest !== undefined && this.#blocks.size >= MAX_REFUSED) this.#blocks.delete(oldest)
    this.#blocks.set(block.id, { block, reason, by: new Set() })
  }

  /** Records that a node has accepted this block. Returns it if it was refused here. */
  acceptedElsewhere(nodeID: NodeID, id: ID): RefusedCandidate | undefined {
    const refused = this.#blocks.get(id)
    refused?.by.add(nodeID)
    return refused
  }

  forgetUpTo(height: bigint): void {
    for (const [id, { block }] of this.#blocks) if (block.height <= height) this.#blocks.delete(id)
  }
}
