import { answer } from "../../../jsonrpc/result.js"
import { nothing } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"

export const getHeight = method({
  name: "platform.getHeight",
  summary: "The height of the last accepted block.",
  params: nothing,
  result: answer.object({ height: answer.digits }),
  examples: [{ params: {}, result: { height: "13" } }],

  handler: (_params, { height }) => ({ height: height.toString() }),
})
