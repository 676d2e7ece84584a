import type { Log } from "../core/lib/log.js"
import { historyGap } from "../core/readmodel/historyGap.js"
import type { Check } from "../jsonrpc/health/monitor.js"
import type { Store } from "../store/store.js"

/** The health check of the history. It fails if the rows of a block could not be made, and so are missing from that block on. */
export function historyCheck(store: Store): Check {
  return {
    name: "history",
    questions: ["health"],
    run() {
      const gap = historyGap(store.latest)
      if (gap) throw new Error(`the history has no rows from block ${gap.height} on; run \`serac repair\``)
      return null
    },
  }
}

/** Logs once that the history has a gap: now, or when the returned function is called after a change of the chain. */
export function watchHistory(store: Store, log: Pick<Log, "error">): () => void {
  let isLogged = false
  const look = () => {
    const gap = isLogged ? undefined : historyGap(store.latest)
    if (!gap) return
    isLogged = true
    log.error("the history is incomplete: run `serac repair`", { missingFrom: gap.height, reason: gap.reason })
  }
  look()
  return look
}
