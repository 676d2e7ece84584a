import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { container, containerAt, encodingParam, lastIndex } from "./container.js"

export const getLastAccepted = method({
  name: "index.getLastAccepted",
  summary: "Returns the last accepted block with its ProposerVM wrapper.",
  params: object({ encoding: encodingParam }),
  result: container,
  examples: [
    {
      params: { encoding: "hex" },
      result: {
        id: "w6fssXExFvwu7SUi9faKdrbM1HHghRuEjatQVrvgDH3bJ4tBy",
        bytes:
          "0x0000000000200000000066a8654787a43871553d3e56c7ca8de06eacded35cd0215561ce4851d82596d3bfd85001000000000000000d000000010000001200003039000000000000000000000000000000000000000000000000000000000000000000000001dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700470bf7bc556fc0000000000000000000000001000000013cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c00000001a2552dc6c4ddb807780b9fb562bbd96a6e97d33fab665388b1426b77de55558400000000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000500470bf7f7ff7c00000000010000000000000000d891ad56056d9c01f18f43f58b5c784ad07a4a49cf3d1f11623804b5cba2c6bf00000001dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db00000007000000003b9aca00000000000000000000000001000000011111111111111111111111111111111111111111000000010000000900000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000040ae2919",
        timestamp: "2024-07-30T04:00:07Z",
        encoding: "hex",
        index: "12",
      },
    },
  ],

  handler: ({ encoding }, context, { pace }) =>
    context.past(pace).read((view) => containerAt(view, context, lastIndex(context), encoding)),
})
