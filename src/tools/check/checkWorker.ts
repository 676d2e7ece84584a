import { answerRequests } from "../../workers/thread.js"
import { type CheckNote, type CheckPart, type CheckTask, checkStore } from "./checkChain.js"

/** Interval in milliseconds at which the thread reports its progress. */
const EVERY = 50

// The program of a thread that checks the store in a directory.
answerRequests<CheckTask, void, CheckNote>(({ dir, deepIn }, report) => {
  let reportedAt = 0
  const begin = (part: CheckPart) => {
    report({ part })
    let done = 0
    return () => {
      done++
      const now = performance.now()
      if (now - reportedAt < EVERY) return
      reportedAt = now
      report({ done })
    }
  }
  return checkStore(dir, { deepIn, begin })
})
