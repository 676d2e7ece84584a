import { described } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { container, containerAt, encodingParam, exampleContainer, requireIndex } from "./container.js"

export const getContainerByID = method({
  name: "index.getContainerByID",
  summary:
    "Returns the accepted block with an ID, with its ProposerVM wrapper. A wrapped block is found by the ID of its wrapper.",
  params: object({
    id: described(id, "The ID of the block's wrapper, or of a block without a wrapper."),
    encoding: encodingParam,
  }),
  result: container,
  examples: [
    {
      params: { id: "RCW7r4XEJdMwv2KrEJmRQ47cqT321wZGz6r6FNs1MPd9Td6YJ", encoding: "hex" },
      result: exampleContainer,
    },
  ],

  handler: ({ id: containerID, encoding }, context, { pace }) =>
    context.past(pace).read((view) => containerAt(view, context, requireIndex(view, context, containerID), encoding)),
})
