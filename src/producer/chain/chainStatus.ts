import type { BuildContext } from "../../core/chain/builder.js"
import type { Mempool } from "../../core/chain/mempool.js"
import type { Rules } from "../../core/rules/context.js"
import type { View } from "../../core/state/view.js"
import type { Tx } from "../../core/txs/tx.js"
import type { Address } from "../../core/types/address.js"
import type { ID, NodeID } from "../../core/types/id.js"
import type { Wrappers } from "./wrappers.js"

/** The readable side of the mempool. */
export type WaitingTxs = Pick<Mempool, "size" | "has" | "dropOf" | typeof Symbol.iterator>

/** The readable side of a private chain. It can be used outside a turn, because it cannot change the chain. */
export interface ChainStatus {
  readonly rules: Rules
  readonly lastAccepted: { readonly id: ID; readonly height: bigint }
  /** The state after the last accepted block, without the indexes of blocks that are not written yet. */
  readonly view: View
  readonly pool: WaitingTxs
  /** The overrides in force: their number, the impersonated owners, and uptimes in percent. */
  readonly overrides: {
    readonly count: number
    readonly impersonated: ReadonlySet<Address>
    readonly uptimes: ReadonlyMap<NodeID, number>
  }
  readonly wrappers: Pick<Wrappers, "contextHeight" | "proposedHeight" | "currentEpoch" | "recent">
  /** Returns the context of a block built at a time of the clock (Unix seconds). */
  contextAt(now: bigint): BuildContext
  /** Returns the state that a block built now would start with: at the block's time, with its gas and price. */
  scratchAt(now: bigint): View
  /** Returns the gas of a transaction, and the nAVAX that it burns. */
  meter(tx: Tx): { readonly gas: bigint; readonly burned: bigint }
  /** Returns the share of its time that a node was online, 0 to 1; always 1 without an override. */
  uptimeOf(nodeID: NodeID): number
}
