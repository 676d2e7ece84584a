import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "./context.js"

export const snapshot = method({
  name: "dev.snapshot",
  summary: "Remembers everything as it is now, for `dev.revert`. Lives as long as the process.",
  params: nothing,
  result: answer.object({ id: answer.number, height: answer.digits }),
  examples: [{ params: {}, result: { id: 1, height: "2" } }],

  async handler(_params, { dev }) {
    const { id, height } = await dev.snapshot()
    return { id, height: height.toString() }
  },
})
