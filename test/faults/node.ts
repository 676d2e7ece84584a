import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { onTestFinished } from "vitest"

/** The answer to a call over HTTP: the result or the error, and the status. */
export interface Answer {
  readonly status: number
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Readonly<Record<string, unknown>> }
}

/** The result of one check of the node's health. */
export interface Check {
  readonly error?: string
  readonly message?: unknown
}

/** A `serac` that runs in a separate process and listens. */
export interface RunningNode {
  readonly process: ChildProcess
  readonly url: string
  /** The text on stderr so far. */
  readonly log: () => string
  /** Calls a `dev.*` or `platform.*` method. */
  call(method: string, params?: object): Promise<Answer>
  health(): Promise<{ readonly status: number; readonly checks: Readonly<Record<string, Check>> }>
  /** Resolves with the exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>
  stop(signal?: NodeJS.Signals): Promise<number | string>
}

/** Starts `serac` with these arguments and waits for its line of JSON. `command` is a program that starts it, such as a shell with limits. */
export async function startNode(bin: string, args: readonly string[], command: readonly string[] = []): Promise<RunningNode> {
  // Tests count blocks from genesis on. Only private chains have accounts.
  const isPrivate = !["serve", "follow"].includes(args[0] ?? "") && !args.some((each) => each.startsWith("--bootstrap-ips"))
  const untouched = isPrivate && !args.includes("--accounts") ? ["--accounts", "0"] : []
  const [program = "", ...words] = [...command, process.execPath, bin, ...args, ...untouched, "--http-port", "0", "--json"]
  const child = spawn(program, words)
  // A failed test may have left this behind.
  onTestFinished(() => void child.kill("SIGKILL"))
  let log = ""
  child.stderr.on("data", (data) => {
    log += data
  })
  const ended = new Promise<number | string>((resolve) => child.on("close", (code, signal) => resolve(code ?? signal ?? "")))
  const first = await Promise.race([once(child.stdout, "data"), ended.then((end) => Promise.reject(new Error(`${end}: ${log}`)))])
  const { url } = JSON.parse(String((first as unknown[])[0]))
  const call = async (method: string, params: object = {}): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const path = method.startsWith("dev.") ? "/ext/dev" : "/ext/bc/P"
    const response = await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body })
    return { status: response.status, ...((await response.json()) as object) }
  }
  const health = async () => {
    const response = await fetch(`${url}/ext/health`)
    return { status: response.status, ...((await response.json()) as { checks: Readonly<Record<string, Check>> }) }
  }
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal)
    return ended
  }
  return { process: child, url, log: () => log, call, health, ended, stop }
}
