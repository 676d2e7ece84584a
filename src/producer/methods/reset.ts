import { u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { resetChain } from "../snapshots/resetChain.js"
import { devMethod } from "./context.js"

export const reset = devMethod({
  name: "dev.reset",
  summary:
    "Resets the private chain to the genesis, or to the state of `--load-state`, as if the node had just been started with the same flags. The keystore is kept; all snapshots are deleted.",
  params: nothing,
  result: object({ height: u64 }),
  examples: [{ params: {}, result: { height: "0" } }],

  async handler(_params, { chain, l1s }) {
    const reset = () => chain.turn((turn) => resetChain(turn, chain.snapshots))
    if (!l1s) return reset()
    await l1s.replaceChain(reset)
    await l1s.createStarted()
    return { height: chain.status.lastAccepted.height }
  },
})
