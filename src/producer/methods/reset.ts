import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "./context.js"

export const reset = method({
  name: "dev.reset",
  summary:
    "Begins anew, as if the node had just been started with the same flags: from genesis, or from the state of `--load-state`. The keystore stays, snapshots die.",
  params: nothing,
  result: answer.object({ height: answer.digits }),
  examples: [{ params: {}, result: { height: "0" } }],

  async handler(_params, { dev }) {
    const { height } = await dev.reset()
    return { height: height.toString() }
  },
})
