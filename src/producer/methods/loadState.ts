import { Buffer } from "node:buffer"
import { described, string } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"

export const loadState = devMethod({
  name: "dev.loadState",
  summary: "Puts a dumped private chain in the place of this one. It must be of the same network and rules. Snapshots die.",
  params: object({ state: described(string, "of `dev.dumpState`, base64") }),
  result: object({ height: u64 }),
  cost: 20,
  examples: [{ title: "the state is cut short", params: { state: "c2VyYWMgc3RhdGUC…" }, result: { height: "2" } }],

  handler({ state }, { dev }) {
    const bytes = Buffer.from(state, "base64")
    // Node takes anything for base64 and skips what does not belong.
    if (bytes.length === 0 || Math.ceil(bytes.length / 3) * 4 !== state.length) throw devError("dev.bad_base64")
    return dev.loadState(new Uint8Array(bytes))
  },
})
