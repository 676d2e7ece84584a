import type { Check } from "../../jsonrpc/health/monitor.js"

/** Returns the number of workers of a node; `undefined` if the main process answers alone. */
export type WorkerCount = () => { readonly ready: number; readonly count: number } | undefined

/**
 * Reports how many API workers accept connections. The check never fails, because a worker that died is replaced and the others answer
 * meanwhile.
 */
export function workerCheck(workers: WorkerCount): Check {
  return {
    name: "apiWorkers",
    questions: ["health"],
    run() {
      const { ready, count } = workers() ?? { ready: 1, count: 1 }
      return { ready, count }
    },
  }
}
