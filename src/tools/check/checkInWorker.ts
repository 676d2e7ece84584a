import { Worker } from "node:worker_threads"
import { Invalid, type RefusalData } from "../../core/lib/invalid.js"
import { workerProgram } from "../../workers/workerProgram.js"
import type { ChainCheck, CheckPart } from "./checkChain.js"
import { checkStore } from "./checkStore.js"

/** A check that runs in a worker thread. */
export interface CheckTask {
  readonly dir: string
  readonly deepIn: string | undefined
}

/** A message of the worker thread: the part that begins, its progress, the success of all parts, or the first fault. */
export interface CheckMessage {
  readonly part?: CheckPart
  readonly done?: number
  readonly isWhole?: true
  readonly refusal?: { readonly code: string; readonly sentence: string; readonly data: RefusalData }
}

/**
 * Checks the store in a directory in a thread of its own, so that this thread can draw progress and handle signals. Throws `store.*` and
 * `node.damaged`.
 */
export async function checkInWorker(dir: string, { deepIn, begin }: ChainCheck): Promise<void> {
  const program = workerProgram("checkWorker")
  // Sources that were not bundled have no program for a thread.
  if (program === undefined) return checkStore(dir, { deepIn, begin })
  return runWorker(new Worker(program, { workerData: { dir, deepIn } satisfies CheckTask }), begin)
}

function runWorker(worker: Worker, begin: ChainCheck["begin"]): Promise<void> {
  return new Promise((resolve, reject) => {
    let onPiece = () => {}
    let reported = 0
    worker.on("message", ({ part, done, isWhole, refusal }: CheckMessage) => {
      if (part) {
        onPiece = begin(part)
        reported = 0
      }
      for (; done !== undefined && reported < done; reported++) onPiece()
      if (isWhole) resolve()
      if (refusal) reject(new Invalid(refusal.code, { sentence: refusal.sentence }, refusal.data))
    })
    worker.on("error", reject)
    worker.on("exit", (code) => reject(new Error(`the thread that checks ended with ${code}`)))
  })
}
