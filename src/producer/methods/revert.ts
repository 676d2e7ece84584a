import { answer } from "../../jsonrpc/result.js"
import { described, object } from "../../jsonrpc/schema/kinds.js"
import { u32 } from "../../jsonrpc/schema/numbers.js"
import { method } from "./context.js"

export const revert = method({
  name: "dev.revert",
  summary:
    "Puts everything back to a snapshot: state, blocks, what waits, overrides, block mode, and the clock, which runs on from where it stood. The keystore stays. Later snapshots die, this one can be used again.",
  params: object({ id: described(u32, "of `dev.snapshot`") }),
  result: answer.object({ height: answer.digits }),
  examples: [{ params: { id: 1 }, result: { height: "2" } }],

  async handler({ id }, { dev }) {
    const { height } = await dev.revert(id)
    return { height: height.toString() }
  },
})
