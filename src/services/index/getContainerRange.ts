import type { View } from "../../core/state/view.js"
import { described, list } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { container, containerAt, encodingParam, exampleContainer, lastIndex } from "./container.js"
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
        containers: [exampleContainer],
      },
    },
  ],

  async handler({ startIndex, numToFetch, encoding }, context, { pace }) {
    const past = context.past(pace)
    if (numToFetch === 0n || numToFetch > MAX_FETCHED) throw indexError("index.bad_count", { numToFetch })
    const last = lastIndex(context)
    if (startIndex > last) throw indexError("index.start_too_high", { startIndex, last })
    const count = Number(last - startIndex < numToFetch ? last - startIndex + 1n : numToFetch)
    const indexes = Array.from({ length: count }, (_, i) => startIndex + BigInt(i))
    let size = 0
    const read = (view: View, index: bigint) => containerAt(view, context, index, encoding)
    const containers = await past.each(indexes, read, ({ bytes }) => {
      size += bytes.bytes.length
      return size >= MAX_BYTES
    })
    return { containers }
  },
})
