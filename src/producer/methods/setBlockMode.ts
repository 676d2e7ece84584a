import { described, oneOf, withDefault } from "../../jsonrpc/schema/kinds.js"
import { number } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { type BlockMode, checkBlockMode } from "../schedule/schedule.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { packMempool } from "../turn/packMempool.js"
import { devMethod } from "./context.js"

export const setBlockMode = devMethod({
  name: "dev.setBlockMode",
  summary:
    "Sets when blocks are produced for transactions: `auto` at once, `interval` every given number of seconds if the mempool is not empty, `manual` only by `dev.mine`. Blocks for staker changes are produced when they are due in every mode.",
  params: object({
    mode: described(oneOf("auto", "interval", "manual"), "When blocks are produced: at once, at intervals, or on request."),
    seconds: described(withDefault(number, 2), "The length of an interval in seconds, above 0 and at most one day."),
  }),
  result: nothing,
  examples: [{ params: { mode: "interval", seconds: 1 }, result: {} }],

  async handler({ mode, seconds }, { chain, l1s }) {
    await chain.turn((turn) => changeBlockMode(turn, mode === "interval" ? { mode, seconds } : { mode }))
    l1s?.blockModeWasSet()
    return {}
  },
})

/** Sets the block mode of the private chain. Throws `producer.bad_interval`. */
export async function changeBlockMode(chain: ChainTurn, mode: BlockMode): Promise<void> {
  checkBlockMode(mode)
  chain.setBlockMode(mode)
  if (mode.mode === "auto") await packMempool(chain)
}
