import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"

export const snapshot = devMethod({
  name: "dev.snapshot",
  summary: "Takes a snapshot of the private chain and its L1s for `dev.revert`. Snapshots are kept until the process ends.",
  params: nothing,
  result: object({ id: number, height: u64 }),
  examples: [{ params: {}, result: { id: 1, height: "2" } }],

  handler: (_params, { chain, l1s }) => {
    const take = () => chain.turn((turn) => chain.snapshots.take(turn))
    return l1s ? l1s.snapshot(take) : take()
  },
})
