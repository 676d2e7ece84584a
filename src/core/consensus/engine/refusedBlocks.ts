import type { Invalid } from "../../lib/invalid.js"
import type { ID, NodeID } from "../../types/id.js"
import type { OuterHeader } from "../proposer/outerBlock.js"

/** A block that the validators accepted and this node's rules refuse. */
export interface RefusedBlock {
  readonly height: bigint
  readonly blockID: string
  readonly rule: string
  readonly reason: string
}

/** A block that breaks a rule here. Its bytes are not kept decoded. */
export interface RefusedHeader extends Pick<OuterHeader, "id" | "parentID" | "bytes"> {
  readonly height: bigint
}

/** A block that breaks a rule here, and the nodes that have accepted it. */
interface RefusedCandidate {
  readonly block: RefusedHeader
  readonly reason: Invalid
  readonly by: Set<NodeID>
}

/** The maximum number of blocks that are remembered, and of their bytes. */
const MAX_REFUSED = 256
const MAX_REFUSED_BYTES = 8 * 1024 * 1024

/** Remembers the refused blocks, to detect that the network accepts one of them, and not to verify one twice in vain. */
export class RefusedBlocks {
  /** All blocks that were refused since the moment below. */
  readonly #lately = new Set<ID>()
  #moment = ""

  readonly #blocks = new Map<ID, RefusedCandidate>()
  #bytes = 0

  /** Returns the blocks that were refused at a moment: the clock's second and the last accepted block. They would be refused again. */
  at(moment: string): Set<ID> {
    if (moment !== this.#moment) this.#lately.clear()
    this.#moment = moment
    return this.#lately
  }

  add({ id, parentID, height, bytes }: RefusedHeader, reason: Invalid): void {
    if (this.#blocks.has(id)) return
    this.#blocks.set(id, { block: { id, parentID, height, bytes }, reason, by: new Set() })
    this.#bytes += bytes.length
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= MAX_REFUSED && this.#bytes <= MAX_REFUSED_BYTES) return
      this.forget(oldest)
    }
  }

  /** Records that a node has accepted this block. Returns it if it was refused here. */
  acceptedElsewhere(nodeID: NodeID, id: ID): RefusedCandidate | undefined {
    const refused = this.#blocks.get(id)
    refused?.by.add(nodeID)
    return refused
  }

  reasonOf(id: ID): Invalid | undefined {
    return this.#blocks.get(id)?.reason
  }

  forgetUpTo(height: bigint): void {
    for (const [id, { block }] of this.#blocks) if (block.height <= height) this.forget(id)
  }

  /** Forgets a refused block, so that it is verified again if it comes, at this moment, too. */
  allowAgain(id: ID): void {
    this.forget(id)
    this.#lately.delete(id)
  }

  forget(id: ID): void {
    this.#bytes -= this.#blocks.get(id)?.block.bytes.length ?? 0
    this.#blocks.delete(id)
  }
}
