import { described } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"

export const revert = devMethod({
  name: "dev.revert",
  summary:
    "Puts everything back to a snapshot: state, blocks, what waits, overrides, block mode, and the clock, which runs on from where it stood. The keystore stays. Later snapshots die, this one can be used again.",
  params: object({ id: described(u32, "of `dev.snapshot`") }),
  result: object({ height: u64 }),
  examples: [{ params: { id: 1 }, result: { height: "2" } }],

  handler: ({ id }, { dev }) => dev.revert(id),
})
