import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

/** A `serac node` in a separate process. */
export interface SeracProcess {
  readonly process: ChildProcess
  readonly url: string
  readonly nodeID: string
  /** The text on stderr so far. */
  log(): string
  /** Ends the process; without a signal as `kill -9` does. Resolves when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Starts `serac node` with these flags and waits for its line of JSON. */
export async function startSerac(bin: string, flags: readonly string[]): Promise<SeracProcess> {
  const child = spawn(process.execPath, [bin, "node", ...flags, "--http-port=0", "--json"], { stdio: ["ignore", "pipe", "pipe"] })
  let log = ""
  child.stderr.on("data", (data) => {
    log += data
  })
  const gone = once(child, "exit")
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    gone.then(() => Promise.reject(new Error(`serac ended before it was ready: ${log}`))),
  ])
  const { url, nodeID } = JSON.parse(String(line)) as { url: string; nodeID: string }
  const end = async (signal: NodeJS.Signals = "SIGKILL") => {
    child.kill(signal)
    await gone
  }
  return { process: child, url, nodeID, log: () => log, end }
}
