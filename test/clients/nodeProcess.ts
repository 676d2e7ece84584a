import { spawn } from "node:child_process"
import { createServer } from "node:net"
import { createInterface } from "node:readline"

/** A node in a separate process. */
export interface NodeProcess {
  readonly url: string
  /** The line of JSON that it printed when it was ready. */
  readonly banner: { readonly [member: string]: unknown }
  /** The text on stderr so far. */
  readonly log: () => string
  stop(): Promise<void>
}

/** Starts `bin/serac` as a script would: waits for its line of JSON. */
export async function startProcess(bin: string, args: readonly string[]): Promise<NodeProcess> {
  const child = spawn(process.execPath, [bin, ...args, "--json"], { stdio: ["ignore", "pipe", "pipe"] })
  let log = ""
  child.stderr.on("data", (chunk) => {
    log += chunk
  })
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()))
  const { done, value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (done) throw new Error(`the node ended at once: ${log}`)
  const banner = JSON.parse(value)
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  return { url: banner.url, banner, log: () => log, stop }
}

/** True if no server listens at a port of this machine. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
}
