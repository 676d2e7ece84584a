import { setImmediate } from "node:timers/promises"

/** Milliseconds on the event loop after which other work runs. */
const TURN_MS = 20

interface Execution<T> {
  execute(item: T): unknown
  /** Returns whether what was executed may be written now. */
  mayFlush?(): boolean
  /** Writes what was executed since the last call, if anything. */
  flush(): void
}

/** Executes items in order, and writes them in one transaction of the store, or in several if it takes long; others run in between. */
export async function executeInTurns<T>(items: Iterable<T>, { execute, mayFlush, flush }: Execution<T>): Promise<void> {
  let started = performance.now()
  try {
    for (const item of items) {
      await execute(item)
      if (performance.now() - started < TURN_MS || mayFlush?.() === false) continue
      flush()
      await setImmediate()
      started = performance.now()
    }
  } finally {
    flush()
  }
}
