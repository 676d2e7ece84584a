import { described } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { requireIndex } from "./container.js"

export const getIndex = method({
  name: "index.getIndex",
  summary: "Returns the index of an accepted block. A wrapped block is found by the ID of its wrapper.",
  params: object({ id: described(id, "The ID of the block's wrapper, or of a block without a wrapper.") }),
  result: object({ index: u64 }),
  examples: [{ params: { id: "RCW7r4XEJdMwv2KrEJmRQ47cqT321wZGz6r6FNs1MPd9Td6YJ" }, result: { index: "0" } }],

  handler: ({ id: containerID }, context, { pace }) =>
    context.past(pace).read((view) => ({ index: requireIndex(view, context, containerID) })),
})
