import { described, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"

export const snapshot = devMethod({
  name: "dev.snapshot",
  summary: "Takes a snapshot of the private chain and its L1s for `dev.revert`. Snapshots are kept until the process ends.",
  params: object({ name: described(withDefault(string, ""), "A name for people, which `dev.status` shows.") }),
  result: object({ id: number, height: u64 }),
  examples: [{ params: { name: "before the reward" }, result: { id: 1, height: "2" } }],

  handler: ({ name }, { chain, l1s }) => {
    const take = () => chain.turn((turn) => chain.snapshots.take(turn, name))
    return l1s ? l1s.snapshot(take) : take()
  },
})
