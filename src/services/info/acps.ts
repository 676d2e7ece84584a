import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

const preferences = answer.object({
  supportWeight: answer.digits,
  supporters: answer.list(answer.nodeID),
  objectWeight: answer.digits,
  objectors: answer.list(answer.nodeID),
  abstainWeight: answer.digits,
})

export const acps = method({
  name: "info.acps",
  summary:
    "How much stake is for and against each proposal (ACP) that validators are asked about. At present they are asked about none.",
  params: nothing,
  result: answer.object({ acps: answer.map(preferences, "ACP number") }),
  examples: [{ params: {}, result: { acps: {} } }],

  handler: () => ({ acps: {} }),
})
