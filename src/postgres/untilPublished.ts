import { Invalid } from "../core/lib/invalid.js"
import { postgresError } from "./errors.js"
import { isPermanentFailure } from "./failure.js"
import type { Publisher } from "./publisher.js"

/** Milliseconds without a new block after which a server that keeps failing counts as lost. */
const PATIENCE = 600_000

/** Waits until a publisher has the database open, or waits for another publisher. Rejects with a failure that only a person can fix. */
export function untilConnected(publisher: Publisher): Promise<void> {
  return untilStatus(publisher, () => publisher.status.phase !== "connecting")
}

/** The refusals of a database that has another chain, or tables of another version. */
const OTHER: readonly string[] = ["postgres.other_chain", "postgres.older_schema", "postgres.newer_schema"]

/** Waits until a publisher has compared its chain with that of the database, or has failed to. Rejects if the database has another, or other tables. */
export function untilCompared(publisher: Publisher): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { phase, problem } = publisher.status
      if (phase === "connecting" && !problem) return
      unsubscribe()
      if (problem instanceof Invalid && OTHER.includes(problem.code)) reject(problem)
      else resolve()
    }
    const unsubscribe = publisher.onChange(look)
    look()
  })
}

/**
 * Waits until a block is in the database. Rejects with a failure that only a person can fix, with the failure of a server that did not come
 * back within ten minutes, and with `postgres.stopped` when the publisher was stopped.
 */
export function untilPublished(publisher: Publisher, height: bigint): Promise<void> {
  return untilStatus(publisher, () => (publisher.status.height ?? -1n) >= height)
}

function untilStatus(publisher: Publisher, isReached: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let reached = publisher.status.height
    const end = (settle: () => void) => {
      clearTimeout(timer)
      unsubscribe()
      settle()
    }
    const look = () => {
      const { problem, height, phase } = publisher.status
      if (isReached()) return end(resolve)
      if (isPermanentFailure(problem)) return end(() => reject(problem))
      if (phase === "stopped") return end(() => reject(postgresError("postgres.stopped", { height: height ?? null })))
      if (!problem || height !== reached) clearTimeout(timer)
      if (problem && (timer === undefined || height !== reached)) timer = setTimeout(() => end(() => reject(problem)), PATIENCE)
      reached = height
    }
    const unsubscribe = publisher.onChange(look)
    look()
  })
}
