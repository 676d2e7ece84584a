import { type NodeID, nodeIDText } from "../../core/types/id.js"
import type { ParseContext } from "../../jsonrpc/schema/param.js"
import type { Context } from "../context.js"

/** Returns the text format of a node's IDs and addresses, with a cache for those that recur. */
export function textFormatOf({ node, dialect, memo }: Context): ParseContext {
  return { hrp: node.hrp, dialect, cachedText: (kind, value, make) => memo.text(kind, value, make) }
}

/** Returns a node ID as text from the cache, because the same few thousand are in every list of validators. */
export function nodeTextOf({ memo }: Pick<Context, "memo">, nodeID: NodeID): string {
  return memo.text("node ID", nodeID, () => nodeIDText(nodeID))
}
