import { Invalid } from "../core/lib/invalid.js"
import type { Json } from "../core/lib/json.js"
import type { Log } from "../core/lib/log.js"
import { historyGap } from "../core/readmodel/historyGap.js"
import type { Check, HealthMonitor } from "../jsonrpc/health/monitor.js"
import { isStoreFailure } from "../store/errors.js"
import { systemFiles } from "../store/lmdb/storeFiles.js"
import type { Store } from "../store/store.js"
import type { NodeOptions } from "./options.js"

/** Default number of bytes that must be free on the disk of a data directory. */
const MIN_FREE_DISK = 4 * 2 ** 20

/** Returns the health checks of the store: whether the last write succeeded, whether the history is whole, and whether the disk has room. */
export function storeChecks(
  store: Store,
  { dataDir, minFreeDisk = MIN_FREE_DISK }: Pick<NodeOptions, "dataDir" | "minFreeDisk">,
): readonly Check[] {
  const database: Check = {
    name: "database",
    run() {
      if (store.failure) throw new Error(sentenceOf(store.failure))
      return null
    },
  }
  const history: Check = {
    name: "history",
    run() {
      const gap = historyGap(store.latest)
      if (gap) throw new Error(`the history has no rows from block ${gap.height} on; run \`serac repair\``)
      return null
    },
  }
  if (dataDir === undefined) return [database, history]
  const diskspace: Check = { name: "diskspace", run: () => diskReport(store, dataDir, minFreeDisk) }
  return [database, diskspace, history]
}

function diskReport({ failure }: Store, dataDir: string, minFreeDisk: number): Json {
  const available = systemFiles.freeBytes(dataDir)
  if (isStoreFailure(failure)) throw new Error(sentenceOf(failure))
  if (available < minFreeDisk)
    throw new Error(`the disk has ${available} bytes left, and ${minFreeDisk} are wanted (--min-free-disk)`)
  return { availableDiskBytes: available }
}

function sentenceOf(error: Error): string {
  return error instanceof Invalid ? `${error.code}: ${error.message}` : error.message
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

/** Milliseconds between two runs of the health checks for the log. */
const CHECK_EVERY = 10_000

/** Writes a line to the log when a health check begins to fail, and when it passes again. */
export function healthLog(health: HealthMonitor, log: Log) {
  const failing = new Set<string>()
  const look = () => {
    for (const [check, { error }] of Object.entries(health.report("health", []).checks)) {
      if (error !== undefined && !failing.has(check)) {
        failing.add(check)
        log.warn("health check fails", { check, reason: error })
      } else if (error === undefined && failing.delete(check)) log.info("health check passes again", { check })
    }
  }
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setInterval(look, CHECK_EVERY).unref()
  }
  return { look, start, stop: () => clearInterval(timer) }
}
