import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"

export const snapshot = devMethod({
  name: "dev.snapshot",
  summary: "Remembers everything as it is now, for `dev.revert`. Lives as long as the process.",
  params: nothing,
  result: object({ id: number, height: u64 }),
  examples: [{ params: {}, result: { id: 1, height: "2" } }],

  handler: (_params, { dev }) => dev.snapshot(),
})
