import { described } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { container, containerAt, encodingParam, exampleContainer } from "./container.js"

export const getContainerByIndex = method({
  name: "index.getContainerByIndex",
  summary: "Returns the accepted block with an index, with its ProposerVM wrapper. The block at height 1 has index 0.",
  params: object({ index: described(u64, "The height of the block without one."), encoding: encodingParam }),
  result: container,
  examples: [
    {
      params: { index: 0, encoding: "hex" },
      result: exampleContainer,
    },
  ],

  handler: ({ index, encoding }, context, { pace }) =>
    context.past(pace).read((view) => containerAt(view, context, index, encoding)),
})
