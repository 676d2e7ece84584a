import { spawn } from "node:child_process"
import type { Readable } from "node:stream"
import { describeInvalid } from "./describe.js"
import { cliError } from "./errors.js"
import { untilUncaught } from "./lastResort.js"
import type { Terminal } from "./terminal.js"

/** The signals that ask a process to stop. A terminal that is closed sends SIGHUP. */
export const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"]

/** Exit code of a process that was interrupted twice. */
export const INTERRUPTED = 130

/** The reasons besides signals for which a process stops. */
export interface StopReasons {
  /** Rejects with a fault that ends the work. */
  readonly failed: Promise<never>
  /** The input whose end stops the process (`--stop-with-stdin`). It closes when the program that started the process ends. */
  readonly stdin?: Readable | undefined
}

/**
 * Waits for SIGINT, SIGTERM or SIGHUP, for the end of `stdin`, or for a fault that ends the work; resolves with the reason. Rejects with the
 * fault, or with an `UncaughtError`. A second signal of any of these kinds ends the process at once.
 */
export async function untilStopped({ failed, stdin }: StopReasons): Promise<string> {
  const signalled = new Promise<string>((resolve) => onSignal(resolve))
  try {
    return await Promise.race([signalled, failed, untilUncaught(), ...(stdin ? [endOf(stdin)] : [])])
  } finally {
    // An input that is still open would keep the process alive.
    stdin?.destroy()
  }
}

/** Resolves when an input has ended. Its content is ignored. */
function endOf(stdin: Readable): Promise<string> {
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve("stdin closed"))
    stdin.resume()
  })
}

let wasSignalled = false

/** Returns whether a signal has asked this process to stop. */
export const hasStopSignal = (): boolean => wasSignalled

/** Calls back with the first signal that asks the process to stop; the second one ends it. */
export function onSignal(callback: (signal: string) => void): void {
  let isStopping = false
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (isStopping) process.exit(INTERRUPTED)
      isStopping = true
      wasSignalled = true
      callback(signal)
    })
  }
}

/**
 * Runs the steps of an orderly stop. If they take longer than `milliseconds`, the process prints one line and ends with exit code 1, so
 * that it need not be killed.
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

/**
 * Runs the command line of this process again in a child process, which has another process ID, and resolves with its exit code. The
 * signals that ask this process to stop are forwarded. The child has a process group of its own, so that Ctrl-C does not reach it twice.
 */
export function runInChild(): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit", detached: true })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => resolve(code ?? INTERRUPTED))
  })
}
