import { Buffer } from "node:buffer"
import { described, string } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { loadChain } from "../snapshots/resetChain.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"

export const loadState = devMethod({
  name: "dev.loadState",
  summary:
    "Replaces this private chain with a dumped one, which must have the same network and rules. All snapshots are deleted.",
  params: object({ state: described(string, "The state from `dev.dumpState` in base64.") }),
  result: object({ height: u64 }),
  cost: 20,
  examples: [{ title: "The state is shortened here", params: { state: "c2VyYWMgc3RhdGUE…" }, result: { height: "2" } }],

  handler({ state }, { chain, l1s }) {
    const bytes = Buffer.from(state, "base64")
    // Node reads any text as base64 and skips invalid characters.
    if (bytes.length === 0 || Math.ceil(bytes.length / 3) * 4 !== state.length) throw devError("dev.bad_base64")
    const load = () => chain.turn((turn) => loadChain(turn, chain.snapshots, new Uint8Array(bytes)))
    return l1s ? l1s.replaceChain(load) : load()
  },
})
