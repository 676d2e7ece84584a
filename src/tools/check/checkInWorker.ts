import { Thread, workerProgram } from "../../workers/thread.js"
import { type ChainCheck, type CheckPart, checkStore } from "./checkChain.js"

/** A check that runs in a worker thread. */
export interface CheckTask {
  readonly dir: string
  readonly deepIn: string | undefined
}

/** A note of the thread: the part that begins, or the number of pieces of it that are done. */
export type CheckNote = { readonly part: CheckPart } | { readonly done: number }

/**
 * Checks the store in a directory in a thread of its own, so that this thread can draw progress and handle signals. Throws `store.*` and
 * `node.damaged`.
 */
export async function checkInWorker(dir: string, { deepIn, begin }: ChainCheck): Promise<void> {
  const program = workerProgram("checkWorker")
  // Sources that were not bundled have no program for a thread.
  if (program === undefined) return checkStore(dir, { deepIn, begin })
  let onPiece = () => {}
  let reported = 0
  const onNote = (note: CheckNote) => {
    if ("part" in note) [onPiece, reported] = [begin(note.part), 0]
    else for (; reported < note.done; reported++) onPiece()
  }
  const thread = new Thread<CheckTask, void, CheckNote>(program)
  try {
    await thread.request({ dir, deepIn }, { onNote })
  } finally {
    thread.end()
  }
}
