import { u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"

export const reset = devMethod({
  name: "dev.reset",
  summary:
    "Begins anew, as if the node had just been started with the same flags: from genesis, or from the state of `--load-state`. The keystore stays, snapshots die.",
  params: nothing,
  result: object({ height: u64 }),
  examples: [{ params: {}, result: { height: "0" } }],

  handler: (_params, { dev }) => dev.reset(),
})
