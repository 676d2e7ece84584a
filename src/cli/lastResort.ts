import { escapeControls } from "../core/lib/escapeControls.js"
import type { Terminal } from "./terminal.js"

/** Exit code of a process that ended because of an error that no code caught. */
export const UNCAUGHT = 3

/** Thrown to stop a command after an error that no code caught. It was printed already. */
export class UncaughtError extends Error {
  override readonly name = "UncaughtError"
}

/** The events of Node for errors that no code caught. */
const EVENTS = ["uncaughtException", "unhandledRejection"]

/** Prints errors that no code caught. Unless a command waits for them to stop in order (`untilUncaught`), the process ends with `UNCAUGHT`. */
export function installLastResort(terminal: Terminal): void {
  for (const event of EVENTS) {
    process.on(event, (error: unknown) => {
      const stack = escapeControls(String((error as Error | undefined)?.stack ?? error))
      terminal.note(`serac: an error inside Serac was not caught, so it stops; please report it with these lines: ${stack}\n`)
      if (process.listenerCount(event) === 1) process.exit(UNCAUGHT)
    })
  }
}

/** Rejects with the first error that no code catches, so that the caller stops its work and closes its store. */
export function untilUncaught(): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (error: unknown) => reject(new UncaughtError("an error was not caught", { cause: error }))
    for (const event of EVENTS) process.on(event, stop)
  })
}
