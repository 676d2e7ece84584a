import { u64 } from "../codec/primitives.js"
import { goTime } from "../lib/go/goTime.js"
import { isActive } from "../networks/upgrades.js"
import { advanceChainTime, checkNewChainTime } from "../rules/chainTime.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { checkNoCredentials } from "./rewards.js"

/** Advances the chain's time (Unix seconds). It was proposed until Banff; since then blocks contain their time. */
export const advanceTimeTx = defineTx({
  kind: "AdvanceTimeTx",
  typeID: 19,
  fields: { time: u64 },

  check() {},

  propose(tx, context) {
    checkNoCredentials(context)
    const time = goTime(tx.time)
    if (isActive(context.blockContext.upgrades, "banff", time))
      throw txError("tx.time_after_banff", { time, banff: context.blockContext.upgrades.times.banff })
    checkNewChainTime(context.diff, context.blockContext, time, context.blockContext.now)
    advanceChainTime(context.diff, context.blockContext, time)
  },
})
