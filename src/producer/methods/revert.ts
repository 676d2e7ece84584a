import { described } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"

export const revert = devMethod({
  name: "dev.revert",
  summary:
    "Reverts the private chain to a snapshot: state, blocks, mempool, overrides, block mode and clock. L1s return to the same moment, and their virtual machines begin again. The clock continues from the time of the snapshot. The keystore is kept. Later snapshots are deleted; this snapshot can be used again.",
  params: object({ id: described(u32, "The ID from `dev.snapshot`.") }),
  result: object({ height: u64 }),
  examples: [{ params: { id: 1 }, result: { height: "2" } }],

  handler: ({ id }, { chain, l1s }) => {
    const revert = () => chain.turn((turn) => chain.snapshots.revert(turn, id))
    return l1s ? l1s.revert(id, revert) : revert()
  },
})
