import type { Log } from "../core/lib/log.js"
import { ServerProcesses } from "../node/processes/serverProcesses.js"
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
  const processes = new ServerProcesses({ count: flags.processes, env, log })
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
