import { bool, described } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { indexOf } from "./container.js"

export const isAccepted = method({
  name: "index.isAccepted",
  summary: "Returns whether a block with an ID is in the index.",
  params: object({ id: described(id, "The ID of the block's wrapper, or of a block without a wrapper.") }),
  result: object({ isAccepted: bool }),
  examples: [{ params: { id: "RCW7r4XEJdMwv2KrEJmRQ47cqT321wZGz6r6FNs1MPd9Td6YJ" }, result: { isAccepted: true } }],

  handler: ({ id: containerID }, context, { pace }) =>
    context.past(pace).read((view) => ({ isAccepted: indexOf(view, context, containerID) !== undefined })),
})
