import type { Check } from "../../jsonrpc/health/monitor.js"

/** Counts the workers of a node; `undefined` if the main process answers alone. */
export type WorkerCount = () => { readonly ready: number; readonly count: number } | undefined

/** Shows how many API workers take connections. One that died is replaced, and the others answer meanwhile, so this is never ill. */
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
