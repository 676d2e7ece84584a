import { blockTime } from "../../core/readmodel/blockTimes.js"
import type { View } from "../../core/state/view.js"
import type { Encoding } from "../../core/types/hexText.js"
import type { ID } from "../../core/types/id.js"
import { described, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { time } from "../../jsonrpc/schema/outputs.js"
import type { Context } from "../context.js"
import { encodedBytes, encoding, id } from "../kinds.js"
import { encodedAs } from "../platform/params/encodings.js"
import { indexError } from "./errors.js"

/** The encoding of the bytes of blocks. */
export const encodingParam = described(withDefault(encoding, "hex"), "The encoding of the bytes.")

/** An accepted block as the index lists it. */
export const container = object({
  id: described(id, "The ID of the block with its ProposerVM wrapper, or of the block itself if it has none."),
  bytes: described(encodedBytes, "The block with its ProposerVM wrapper, if it has one."),
  timestamp: described(time, "The time of the chain after the block."),
  encoding,
  index: described(u64, "The number of blocks that were accepted before it, without genesis."),
})

/** The first block of a chain, for the examples of several methods. */
export const exampleContainer = {
  id: "RCW7r4XEJdMwv2KrEJmRQ47cqT321wZGz6r6FNs1MPd9Td6YJ",
  bytes:
    "0x0000000000200000000066949ec1a203607780aaa4d5d66baaf486afa25949f747f91cf4515c62f6b34ac6de7c3d0000000000000001000000010000002200003039000000000000000000000000000000000000000000000000000000000000000000000004dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db00000007000000012a05f2000000000066bc2bc000000001000000011111111111111111111111111111111111111111dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700000001a13b8600000000000000000000000001000000011111111111111111111111111111111111111111dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700470de16160e7c0000000000000000000000001000000013cb7d3842e8cee6a0ebd09f1fe884f6861e1b29cdbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db000000160000000066bc2bc00000000700000000b2d05e0000000000000000000000000100000001111111111111111111111111111111111111111100000001000000000000000000000000000000000000000000000000000000000000000000000000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000500470de4df8200000000000100000000000000000000000100000009000000010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000a6cceac2",
  timestamp: "2024-07-15T04:00:01Z",
  encoding: "hex",
  index: "0",
}

/** Returns the index of the last accepted block. Throws `index.none_accepted`. */
export function lastIndex({ height }: Pick<Context, "height">): bigint {
  if (height === 0n) throw indexError("index.none_accepted")
  return height - 1n
}

/** Returns the block of an index, which is its height minus one, because genesis is not in the index. Throws `index.no_container`. */
export function containerAt(view: View, { node, height: tip }: Context, index: bigint, requested: Encoding) {
  const height = index + 1n
  const found = height > tip ? undefined : node.containers?.at(view, height)
  if (!found) throw indexError("index.no_container", { index })
  const bytes = encodedAs(found.bytes, requested, () => "")
  return { id: found.id, bytes, timestamp: blockTime(view, height), encoding: requested, index }
}

/** Returns the index of a block by the ID of its container; `undefined` if it is not in the index. */
export function indexOf(view: View, { node }: Context, containerID: ID): bigint | undefined {
  const height = node.containers?.heightOf(view, containerID)
  return height === undefined || height === 0n ? undefined : height - 1n
}

/** Returns the index of a block by the ID of its container. Throws `index.unknown_container`. */
export function requireIndex(view: View, context: Context, containerID: ID): bigint {
  const index = indexOf(view, context, containerID)
  if (index === undefined) throw indexError("index.unknown_container")
  return index
}
