import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Writable } from "node:stream"
import type { Invalid } from "../../core/lib/invalid.js"
import { vmError } from "../errors.js"
import { GrpcClient } from "../grpc/grpcClient.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { GrpcServer, serve } from "../grpc/grpcServer.js"
import { Runtime } from "../proto/runtime_pb.js"
import { VM } from "../proto/vm_pb.js"
import { LogLines } from "./logLines.js"
import { type ClockAbility, ClockFile, ClockTrial, PluginClock } from "./pluginClock.js"
import { isAcceptedProtocol, isNewerProtocol, type PluginProtocol, PROTOCOLS } from "./pluginProtocol.js"

/** The time that a plugin has to report that it serves, as in AvalancheGo, and to end after it was told to, milliseconds. */
const START_MILLISECONDS = 5000
const STOP_MILLISECONDS = 5000

/**
 * Starts the plugin so that it ends with this process, however that ends: a subshell waits for the end of a pipe that only this process can
 * write to, and then kills the process into which the shell has turned, and removes the directories that are not to outlive it. A line on the pipe
 * ends the subshell without this. It ignores signals that a terminal or a supervisor sends to all processes of a group.
 */
const SHELL = "/bin/sh"
const SCRIPT = '(trap "" TERM INT HUP; read -r _ <&3 || { kill -KILL $$; /bin/rm -rf "$@"; }) >/dev/null 2>&1 & exec "$0" 3<&-'

/** Options of a plugin's process. */
export interface PluginOptions {
  /** The file of the program. */
  readonly path: string
  /** The newer version of the protocol that is accepted, too; omitted if none is. */
  readonly pluginProtocol?: PluginProtocol | undefined
  /** The clock that the plugin is to follow. */
  readonly clock: PluginClock
  /** A directory that is removed if this process is killed; omitted if none is. */
  readonly scratchDir?: string | undefined
  /** Ends the start. */
  readonly ending?: AbortSignal | undefined
  /** Receives each line that the plugin prints. */
  onLine(line: string): void
  onFault(error: unknown, where: string): void
}

/** A running plugin. */
export class PluginProcess {
  /** The address at which the plugin serves `vm.VM`. */
  readonly address: string
  readonly protocol: number
  /** What it does with the clock that it is to follow. */
  readonly clock: ClockAbility
  readonly #child: ChildProcess
  readonly #lines: LogLines
  /** Resolves with a description of the end. */
  readonly ended: Promise<string>

  constructor(child: ChildProcess, lines: LogLines, ended: Promise<string>, { address, protocol, clock }: Start) {
    this.#child = child
    this.#lines = lines
    this.ended = ended
    this.address = address
    this.protocol = protocol
    this.clock = clock
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /** The last lines that the plugin printed. */
  get lastLines(): readonly string[] {
    return this.#lines.last
  }

  /** Ends the process. After `Shutdown` SIGTERM is enough; a process that is still there after five seconds is killed. */
  async stop(): Promise<void> {
    this.#child.kill("SIGTERM")
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_MILLISECONDS)
    await this.ended
    clearTimeout(timer)
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill("SIGKILL")
  }
}

interface Report {
  readonly address: string
  readonly protocol: number
}

interface Start extends Report {
  readonly clock: ClockAbility
}

/** Starts a plugin, and waits for its report. Throws `vm.*` with what it printed, and the reason of `ending`. A process that failed has ended. */
export async function startPlugin(options: PluginOptions): Promise<PluginProcess> {
  const { path, scratchDir, onFault, ending, clock } = options
  if (process.platform === "win32") throw vmError("vm.platform")
  let report: (report: Report) => void = () => {}
  const reported = new Promise<Report>((resolve) => {
    report = resolve
  })
  const server = new GrpcServer([runtimeService((each) => report(each), options)], onFault)
  const address = await server.listen()
  // Programs leave folders in the directory for temporary files, such as the key store of an EVM.
  const temporaryDir = mkdtempSync(join(tmpdir(), "serac-l1-tmp-"))
  const clockFile = new ClockFile(join(temporaryDir, "clock"))
  const child = spawn(SHELL, ["-c", SCRIPT, path, temporaryDir, ...(scratchDir === undefined ? [] : [scratchDir])], {
    env: environment(address, temporaryDir, clockFile),
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  })
  const { lines, trial } = linesOf(child, options)
  const ended = endOf(child).then(async (reason) => {
    clock.remove(clockFile)
    await rm(temporaryDir, { recursive: true, force: true }).catch(() => {})
    return reason
  })
  try {
    const ready = await firstOf(reported, ended, path, lines, ending)
    if (!isAcceptedProtocol(ready.protocol, options.pluginProtocol)) throw protocolRefusal(ready.protocol, path)
    const printed = new Promise<"none">((resolve) => setTimeout(() => resolve("none"), OUTPUT_MILLISECONDS))
    const ability = await Promise.race([trial.ability, printed])
    clock.add(clockFile)
    return new PluginProcess(child, lines, ended, { ...ready, clock: ability })
  } catch (error) {
    child.kill("SIGKILL")
    await ended
    throw error
  } finally {
    server.closeGently()
  }
}

/** The level of what gRPC for Go prints. */
const GRPC_LEVEL = "GRPC_GO_LOG_SEVERITY_LEVEL"

/** Only these variables reach a plugin, as in AvalancheGo, and the directory for temporary files and the clock, which are its own. */
function environment(address: string, temporaryDir: string, clock: ClockFile): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => name.startsWith("GRPC_") || name.startsWith("GODEBUG"))
  return {
    ...Object.fromEntries(passed),
    AVALANCHE_VM_RUNTIME_ENGINE_ADDR: address,
    TMPDIR: temporaryDir,
    GRPC_SERAC_CLOCK: clock.path,
    [GRPC_LEVEL]: "info",
  }
}

/** Reads what a plugin prints. Nobody has asked for the lines of gRPC, unless the user did. */
function linesOf(child: ChildProcess, { onLine }: Pick<PluginOptions, "onLine">) {
  const trial = new ClockTrial(Date.now)
  const isHidden = (line: string) => trial.take(line) && process.env[GRPC_LEVEL] === undefined
  const lines = new LogLines(onLine, isHidden)
  for (const output of [child.stdout, child.stderr]) output?.setEncoding("utf8").on("data", (text: string) => lines.add(text))
  return { lines, trial }
}

function runtimeService(report: (report: Report) => void, options: PluginOptions) {
  return serve(Runtime, {
    initialize: ({ protocolVersion, addr }) => {
      report({ address: addr, protocol: protocolVersion })
      if (isAcceptedProtocol(protocolVersion, options.pluginProtocol)) return {}
      throw new GrpcError(grpcStatus.unknown, protocolRefusal(protocolVersion, options.path).message)
    },
  })
}

const protocolRefusal = (version: number, path: string): Invalid =>
  vmError(isNewerProtocol(version) ? "vm.newer_protocol" : "vm.protocol", { path, version, known: PROTOCOLS })

/** Resolves when the child and its output have ended. The subshell is told that there is nothing left to kill. */
function endOf(child: ChildProcess): Promise<string> {
  const pipe = child.stdio[3] as Writable | undefined
  pipe?.on("error", () => {})
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message))
    child.on("exit", (code, signal) => {
      pipe?.end("\n")
      resolve(signal ? `it was ended by ${signal}` : `it ended with status ${code}`)
    })
  })
}

/** Waits for the report of a plugin, its end, the time limit, or the end of the start. */
async function firstOf(
  reported: Promise<Report>,
  ended: Promise<string>,
  path: string,
  lines: LogLines,
  ending: AbortSignal | undefined,
): Promise<Report> {
  let giveUp = () => {}
  const late = new Promise<"late">((resolve) => {
    giveUp = () => resolve("late")
  })
  const timer = setTimeout(giveUp, START_MILLISECONDS)
  ending?.addEventListener("abort", giveUp)
  if (ending?.aborted) giveUp()
  const first = await Promise.race([reported, ended, late])
  clearTimeout(timer)
  ending?.removeEventListener("abort", giveUp)
  ending?.throwIfAborted()
  if (first === "late") {
    throw vmError("vm.silent", { path, seconds: START_MILLISECONDS / 1000, printed: lines.last.join("\n") })
  }
  if (typeof first === "string") {
    // What it printed may arrive after its end.
    await new Promise((resolve) => setTimeout(resolve, OUTPUT_MILLISECONDS))
    throw vmError("vm.exited", { path, reason: first, printed: lines.last.join("\n") })
  }
  return first
}

/** The time in which the output of a plugin that has ended arrives, milliseconds. */
const OUTPUT_MILLISECONDS = 50

/** The versions of a plugin. */
export interface PluginVersion {
  /** The version of the VM, such as `v0.8.0`. */
  readonly version: string
  readonly protocol: number
  readonly clock: ClockAbility
}

/** Starts a plugin to ask for its version, and ends it. Throws `vm.*` if it cannot be used. */
export async function pluginVersion(options: Omit<PluginOptions, "onLine" | "clock">): Promise<PluginVersion> {
  const { path } = options
  const plugin = await startPlugin({ ...options, clock: new PluginClock(), onLine: () => {} })
  const vm = new GrpcClient(plugin.address)
  const limit = () => ({ signal: AbortSignal.timeout(START_MILLISECONDS) })
  try {
    const { version } = await vm.call(VM.method.version, {}, limit())
    // A VM that ends before it has answered has done what it was told.
    await vm.call(VM.method.shutdown, {}, limit()).catch(() => {})
    return { version, protocol: plugin.protocol, clock: plugin.clock }
  } catch (error) {
    plugin.kill()
    throw error instanceof GrpcError ? await callRefusal(plugin, path, error, START_MILLISECONDS) : error
  } finally {
    vm.close()
    await plugin.stop()
  }
}

/** Makes the refusal of a plugin that failed in a call with a time limit. Its end, and what it printed, explain the loss of the connection. */
export async function callRefusal(
  plugin: PluginProcess,
  path: string,
  { status, message }: GrpcError,
  milliseconds: number,
): Promise<Invalid> {
  const end = await plugin.ended
  if (status === grpcStatus.cancelled) return vmError("vm.silent", { path, seconds: milliseconds / 1000 })
  if (status !== grpcStatus.unavailable) return vmError("vm.refused", { path, reason: message })
  return vmError("vm.exited", { path, reason: end, printed: plugin.lastLines.join("\n") })
}
