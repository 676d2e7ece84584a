import { parentPort } from "node:worker_threads"
import { openRoot } from "../store/openRoot.js"
import { ThreadCommits } from "../store/threadCommits.js"
import type { CommitAnswer, CommitQuestion } from "./commitMessages.js"

// The program of a thread that writes the commits of a store, whose owner is the main thread of the same process.
let commits: ThreadCommits | undefined

/** Writes a commit. After a failure LMDB is closed, because it may refuse everything from then on. */
async function answerTo({ root, rows }: Exclude<CommitQuestion, "end">): Promise<CommitAnswer> {
  try {
    commits ??= new ThreadCommits(openRoot(root))
    commits.commit(rows)
    return {}
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown }
    await close()
    return { failure: { message, code } }
  }
}

async function close(): Promise<void> {
  const closing = commits?.close()
  commits = undefined
  await closing
}

parentPort?.on("message", async (question: CommitQuestion) => {
  if (question !== "end") return parentPort?.postMessage(await answerTo(question))
  await close()
  parentPort?.close()
})
parentPort?.postMessage({} satisfies CommitAnswer)
