import { once } from "node:events"
import { run } from "../child.js"

/** A node in a process of its own. */
export interface RunningSerac extends AsyncDisposable {
  readonly url: string
  /** Ends the process at once, as a crash would. */
  kill(): Promise<void>
}

/** Starts a built `serac` that keeps nothing, on a free port unless `args` name one. */
export async function startSerac(bin: string, args: readonly string[]): Promise<RunningSerac> {
  const child = run(process.execPath, [bin, "--ephemeral", "--http-port", "0", "--quiet", "--json", ...args])
  const first = await child.lines.next()
  const { url } = JSON.parse(first.value) as { url: string }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.process.exitCode !== null || child.process.signalCode !== null) return
    const exited = once(child.process, "exit")
    child.process.kill(signal)
    await exited
  }
  return { url, kill: () => end("SIGKILL"), [Symbol.asyncDispose]: () => end("SIGTERM") }
}
