import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Call, nodeClient } from "../client/client.js"
import { httpTransport } from "../jsonrpc/client.js"
import { timeLimit } from "../sync/follow/timeLimit.js"
import { localNetworkError } from "./errors.js"
import type { NetworkMember } from "./networkDirectory.js"

const STOP_MS = 10_000

/** Time that a node may take to answer a probe. A program that took the port of a node may accept connections and never answer. */
const PROBE_MS = 5_000

/** The maximum number of characters of a log line that an error repeats. */
const MAX_LINE = 200

/** The end of a process: its exit code, or the signal that ended it. */
export type ExitReason = number | NodeJS.Signals

/** The process of one node. Its output is written to `node.log` in its directory. */
export class NodeProcess {
  readonly member: NetworkMember
  readonly url: string
  readonly command: readonly string[]
  readonly logFile: string
  readonly #child: ChildProcess
  /** Resolves when the process has ended. */
  readonly exited: Promise<ExitReason>
  #exit: ExitReason | undefined

  /** Starts the process. It has a process group of its own, so that Ctrl-C reaches it only through `stop`. */
  constructor(member: NetworkMember, url: string, command: readonly string[]) {
    this.member = member
    this.url = url
    this.command = command
    this.logFile = join(member.dir, "node.log")
    const log = openSync(this.logFile, "a", 0o600)
    const [program, ...args] = command as [string, ...string[]]
    // Serac's nodes end with their standard input, so that none outlives this process. Other programs need a guard for that.
    this.#child = spawn(program, args, { stdio: ["pipe", log, log], detached: true })
    closeSync(log)
    if (member.program !== "serac") guard(this.#child)
    this.#child.stdin?.on("error", () => {})
    this.exited = Promise.race([
      once(this.#child, "exit").then(([code, signal]) => (code ?? signal) as ExitReason),
      once(this.#child, "error").then(() => 1),
    ])
    void this.exited.then((reason) => {
      this.#exit = reason
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** The end of the process; `undefined` while it runs. */
  get exit(): ExitReason | undefined {
    return this.#exit
  }

  /** The last line that the process printed, shortened if it is long. */
  get lastLine(): string {
    const lines = readFileSync(this.logFile, "utf8").trimEnd().split("\n")
    return (lines.at(-1) as string).slice(0, MAX_LINE)
  }

  /** Returns whether the node has caught up with its network and is connected to this many others. `signal` aborts the request. */
  isReady(others: number, signal: AbortSignal): Promise<boolean> {
    return this.#probe(signal, async (call) => {
      const { isBootstrapped } = await call("info.isBootstrapped", { chain: "P" })
      return isBootstrapped && Number((await call("info.peers")).numPeers) >= others
    })
  }

  /** Returns whether the node itself answers, and not another program at its port. `signal` aborts the request. */
  isAnswering(signal: AbortSignal): Promise<boolean> {
    return this.#probe(signal, async () => true)
  }

  async #probe(signal: AbortSignal, ask: (call: Call) => Promise<boolean>): Promise<boolean> {
    const limit = timeLimit(signal, PROBE_MS)
    const call = nodeClient(httpTransport(this.url, limit.signal))
    try {
      return (await call("info.getNodeID")).nodeID === this.member.nodeID && (await ask(call))
    } catch {
      return false
    } finally {
      limit.end()
    }
  }

  /** Asks the process to stop, and kills it if that takes too long. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#child.kill("SIGTERM")
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_MS)
    await this.exited
    clearTimeout(timer)
  }
}

/** Ends a process when this one ends: a shell waits for the end of an input that only this process holds open. */
function guard(child: ChildProcess): void {
  if (child.pid === undefined) return
  const shell = spawn("/bin/sh", ["-c", 'read _; kill "$1"', "sh", String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  })
  shell.on("error", () => {})
  shell.stdin.on("error", () => {})
  child.once("exit", () => shell.kill("SIGKILL"))
}

const VERSION_MS = 10_000

/** Returns the major and minor version that a binary of AvalancheGo prints, such as `[1, 15]`. Throws `localnet.bad_binary`. */
export async function avalanchegoVersion(binary: string): Promise<readonly [major: number, minor: number]> {
  const run = promisify(execFile)(binary, ["--version"], { timeout: VERSION_MS })
  const printed = await run.then(
    ({ stdout }) => stdout,
    (error: Error) => {
      throw localNetworkError("localnet.bad_binary", { binary, reason: error.message })
    },
  )
  const version = /avalanchego\/(\d+)\.(\d+)\./.exec(printed)
  if (!version) throw localNetworkError("localnet.bad_binary", { binary, printed: printed.slice(0, 100) })
  return [Number(version[1]), Number(version[2])]
}
