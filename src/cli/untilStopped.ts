import { describeInvalid } from "./describe.js"
import { cliError } from "./errors.js"
import type { Terminal } from "./terminal.js"

/** The signals that ask a process to stop. A terminal that is closed sends SIGHUP. */
export const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"]

/** Exit code of a process that was told to stop twice. */
export const INTERRUPTED = 130

/**
 * Waits for SIGINT, SIGTERM or SIGHUP, or for a fault that ends the work; resolves with the name of the signal. A second signal of
 * any of these kinds ends the process at once.
 */
export function untilStopped(failed: Promise<never>): Promise<string> {
  const signalled = new Promise<string>((resolve) => onSignal(resolve))
  return Promise.race([signalled, failed])
}

/** Calls back with the first signal that asks the process to stop; the second one ends it. */
export function onSignal(callback: (signal: string) => void): void {
  let isStopping = false
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (isStopping) process.exit(INTERRUPTED)
      isStopping = true
      callback(signal)
    })
  }
}

/**
 * Runs the steps of an orderly stop. Where they take longer than `milliseconds`, the process says so in one line and ends with exit
 * code 1: whoever started it must never have to kill it.
 */
export async function stopWithin(milliseconds: number, terminal: Terminal, stop: () => Promise<void>): Promise<void> {
  const timer = setTimeout(() => {
    terminal.note(`serac: ${describeInvalid(cliError("cli.stop_timeout", { milliseconds }))}\n`)
    process.exit(1)
  }, milliseconds)
  try {
    await stop()
  } finally {
    clearTimeout(timer)
  }
}
