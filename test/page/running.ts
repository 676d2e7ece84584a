import { once } from "node:events"
import type { Json } from "../../src/core/lib/json.js"
import { run } from "../child.js"

/** A node in a separate process. */
export interface RunningSerac extends AsyncDisposable {
  readonly url: string
  /** Calls a method over HTTP. Throws where the node refuses it. */
  call<T>(method: string, params?: Json): Promise<T>
  /** Ends the process at once, as a crash would. */
  kill(): Promise<void>
}

const PATHS: Readonly<Record<string, string>> = { platform: "/ext/bc/P", info: "/ext/info", dev: "/ext/dev" }

/** Starts a built `serac` that keeps nothing, on a free port unless `args` name one. */
export async function startSerac(bin: string, args: readonly string[]): Promise<RunningSerac> {
  return startCommand(bin, ["--ephemeral", ...args])
}

/** Starts a built `serac` with these arguments alone, on a free port unless they name one. */
export async function startCommand(bin: string, args: readonly string[]): Promise<RunningSerac> {
  const port = args.includes("--http-port") ? [] : ["--http-port", "0"]
  const child = run(process.execPath, [bin, ...args, ...port, "--quiet", "--json"])
  const first = await child.lines.next()
  const { url } = JSON.parse(first.value) as { url: string }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.process.exitCode !== null || child.process.signalCode !== null) return
    const exited = once(child.process, "exit")
    child.process.kill(signal)
    await exited
  }
  return {
    url,
    call: (method, params = {}) => call(url, method, params),
    kill: () => end("SIGKILL"),
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  }
}

async function call<T>(url: string, method: string, params: Json): Promise<T> {
  const path = PATHS[method.split(".")[0] as string] as string
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const response = await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body })
  const { result, error } = (await response.json()) as { result?: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result as T
}
