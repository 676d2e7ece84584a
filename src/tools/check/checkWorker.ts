import { parentPort, workerData } from "node:worker_threads"
import { Invalid } from "../../core/lib/invalid.js"
import type { ChainCheck } from "./checkChain.js"
import type { CheckMessage, CheckTask } from "./checkInWorker.js"
import { checkStore } from "./checkStore.js"

/** Interval in milliseconds at which the thread reports its progress. */
const EVERY = 50

/** The program of a thread that checks the store in a directory, and reports its progress and result. */
async function main({ dir, deepIn }: CheckTask, say: (message: CheckMessage) => void): Promise<void> {
  let reportedAt = 0
  const begin: ChainCheck["begin"] = (part) => {
    say({ part })
    let done = 0
    return () => {
      done++
      const now = performance.now()
      if (now - reportedAt < EVERY) return
      reportedAt = now
      say({ done })
    }
  }
  try {
    await checkStore(dir, { deepIn, begin })
    say({ isWhole: true })
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    say({ refusal: { code: error.code, sentence: error.sentence, data: error.data } })
  }
}

if (parentPort) await main(workerData as CheckTask, (message) => parentPort?.postMessage(message))
