import { spawn } from "node:child_process"
import { INTERRUPTED, SIGNALS } from "./untilStopped.js"

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
