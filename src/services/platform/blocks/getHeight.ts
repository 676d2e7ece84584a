import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { ofState } from "../../lifetimes.js"

export const getHeight = method({
  name: "platform.getHeight",
  summary: "Returns the height of the last accepted block.",
  params: nothing,
  result: object({ height: u64 }),
  lifetime: ofState,
  examples: [{ params: {}, result: { height: "13" } }],

  handler: (_params, { height }) => ({ height }),
})
