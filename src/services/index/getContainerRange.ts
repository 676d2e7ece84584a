import { described, list } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { container, containerAt, encodingParam, lastIndex } from "./container.js"
import { indexError } from "./errors.js"

const MAX_FETCHED = 1024n

/** Size of the blocks on one page, bytes. The page ends with the block that reaches it. */
const MAX_BYTES = 4 << 20

export const getContainerRange = method({
  name: "index.getContainerRange",
  summary: "Returns accepted blocks in the order of their indexes, with their ProposerVM wrappers.",
  params: object({
    startIndex: described(u64, "The index of the first block."),
    numToFetch: described(u64, "The number of blocks, at most 1024. Fewer are returned at the end of the chain and after 4 MiB."),
    encoding: encodingParam,
  }),
  result: object({ containers: list(container) }),
  cost: 5,
  examples: [
    {
      params: { startIndex: 0, numToFetch: 1, encoding: "hex" },
      result: {
        containers: [
          {
            id: "RCW7r4XEJdMwv2KrEJmRQ47cqT321wZGz6r6FNs1MPd9Td6YJ",
            bytes:
              "0x0000000000200000000066949ec1a203607780aaa4d5d66baaf486afa25949f747f91cf4515c62f6b34ac6de7c3d0000000000000001000000010000002200003039000000000000000000000000000000000000000000000000000000000000000000000004dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db00000007000000012a05f2000000000066bc2bc000000001000000011111111111111111111111111111111111111111dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700000001a13b8600000000000000000000000001000000011111111111111111111111111111111111111111dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700470de16160e7c0000000000000000000000001000000013cb7d3842e8cee6a0ebd09f1fe884f6861e1b29cdbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db000000160000000066bc2bc00000000700000000b2d05e0000000000000000000000000100000001111111111111111111111111111111111111111100000001000000000000000000000000000000000000000000000000000000000000000000000000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000500470de4df8200000000000100000000000000000000000100000009000000010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000a6cceac2",
            timestamp: "2024-07-15T04:00:01Z",
            encoding: "hex",
            index: "0",
          },
        ],
      },
    },
  ],

  *handler({ startIndex, numToFetch, encoding }, context) {
    if (numToFetch === 0n || numToFetch > MAX_FETCHED) throw indexError("index.bad_count", { numToFetch })
    const last = lastIndex(context)
    if (startIndex > last) throw indexError("index.start_too_high", { startIndex, last })
    const containers = []
    let size = 0
    for (let index = startIndex; index <= last && index < startIndex + numToFetch && size < MAX_BYTES; index++) {
      const found = containerAt(context, index, encoding)
      containers.push(found)
      size += found.bytes.bytes.length
      yield
    }
    return { containers }
  },
})
