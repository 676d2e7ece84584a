import cluster from "node:cluster"
import type { Log } from "../core/lib/log.js"
import { type ProcessEvents, ServerProcesses, type StartedProcess } from "../node/processes/serverProcesses.js"
import type { Terminal } from "./terminal.js"
import { stopWithin, untilStopped } from "./untilStopped.js"

/** Milliseconds beyond their own limit after which processes that have not ended are killed. */
const KILL_AFTER = 500

/**
 * Runs the same command in several processes that share its port, with more variables in their environment, until this process is stopped.
 * Throws `ProcessEnded`.
 */
export async function runProcesses(
  flags: { readonly processes: number; readonly "http-shutdown-timeout": number; readonly "stop-with-stdin": boolean },
  env: Readonly<Record<string, string>>,
  terminal: Terminal,
  log: Log,
): Promise<void> {
  cluster.setupPrimary({ serialization: "advanced" })
  const processes = new ServerProcesses({
    count: flags.processes,
    log,
    start: (events) => startProcess(env, events),
    after(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds)
      return () => clearTimeout(timer)
    },
    timestamp: () => new Date(terminal.now()).toISOString(),
  })
  const stdin = flags["stop-with-stdin"] ? terminal.stdin : undefined
  const stopped = untilStopped({ failed: new Promise<never>(() => {}), stdin })
  try {
    await terminal.print(await processes.start())
    log.info("stop", { reason: await stopped })
  } finally {
    await stopWithin(flags["http-shutdown-timeout"] + 2 * KILL_AFTER, terminal, async () => {
      const timer = setTimeout(() => processes.kill(), flags["http-shutdown-timeout"] + KILL_AFTER)
      await processes.stop()
      clearTimeout(timer)
    })
  }
}

/** Starts a process with the command line of this one. */
function startProcess(env: Readonly<Record<string, string>>, { received, exited }: ProcessEvents): StartedProcess {
  const worker = cluster.fork(env)
  worker.on("message", received)
  worker.on("exit", (code, signal) => exited(signal ?? code))
  // A message to a process that has just ended is lost with it.
  worker.on("error", () => {})
  return {
    send: (message) => void (worker.isConnected() && worker.send(message)),
    kill: () => worker.process.kill("SIGKILL"),
  }
}
