import { answer } from "../answer.js"
import { method } from "../method.js"
import { nothing } from "../schema/kinds.js"

export const getHeight = method({
  name: "platform.getHeight",
  summary: "The height of the last accepted block.",
  params: nothing,
  result: answer.object({ height: answer.digits }),
  examples: [{ params: {}, result: { height: "13" } }],

  handler: (_params, { height }) => ({ height: height.toString() }),
})
