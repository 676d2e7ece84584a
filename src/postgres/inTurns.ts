import { setImmediate } from "node:timers/promises"
import type { Work } from "../core/lib/work.js"

/** Milliseconds of work between two turns of the event loop. */
const SLICE = 2

/** Runs work in slices, so that calls are answered and the server receives the rows of an earlier part in between. */
export async function inTurns<T>(work: Work<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + SLICE
    do {
      const { done, value } = work.next()
      if (done) return value
    } while (performance.now() < end)
    await setImmediate()
  }
}
