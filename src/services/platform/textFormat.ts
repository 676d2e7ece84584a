import { type NodeID, nodeIDText } from "../../core/types/id.js"
import type { AnswerRoom } from "../../jsonrpc/answerRoom.js"
import type { ParseContext } from "../../jsonrpc/schema/param.js"
import type { Context } from "../context.js"

/** Returns the text format of a node's IDs and addresses, with a cache for those that recur. */
export function textFormatOf({ node, dialect, cache }: Context): ParseContext {
  return { hrp: node.hrp, dialect, cachedText: (kind, value, make) => cache.text(kind, value, make) }
}

/** Returns the options of a list that is printed in steps. */
export function listOptions(context: Context): { readonly as: ParseContext; readonly room: AnswerRoom } {
  return { as: textFormatOf(context), room: context.node.answerRoom }
}

/** Returns a node ID as text from the cache, because the same few thousand are in every list of validators. */
export function nodeTextOf({ cache }: Pick<Context, "cache">, nodeID: NodeID): string {
  return cache.text("node ID", nodeID, () => nodeIDText(nodeID))
}
