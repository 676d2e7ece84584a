import { u64 } from "../codec/primitives.js"
import { goTime } from "../lib/goTime.js"
import { isActive } from "../networks/upgrades.js"
import { advanceChainTime, checkNewChainTime } from "../rules/chainTime.js"
import { rulesError } from "../rules/errors.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"

/** Moves the chain's time (Unix seconds). Proposed until Banff; since then blocks carry their time. */
export const advanceTimeTx = defineTx({
  kind: "AdvanceTimeTx",
  typeID: 19,
  fields: { time: u64 },

  check() {},

  propose(tx, run) {
    if (run.credentials.length > 0) throw rulesError("rules.no_credential", { got: run.credentials.length })
    const time = goTime(tx.time)
    if (isActive(run.env.upgrades, "banff", time))
      throw txError("tx.time_after_banff", { time, banff: run.env.upgrades.times.banff })
    checkNewChainTime(run.diff, run.env, time, run.env.now)
    advanceChainTime(run.diff, run.env, time)
  },
})
