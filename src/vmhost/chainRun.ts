import { readFileSync } from "node:fs"
import { hexToBytes } from "../core/lib/bytes.js"
import type { Log } from "../core/lib/log.js"
import { REFERENCE } from "../core/networks/reference.js"
import type { NodeID } from "../core/types/id.js"
import type { PluginDatabase } from "./database/pluginDatabase.js"
import type { BlockContexts } from "./engine/blockContext.js"
import type { AcceptedBlock, ChainBlockMode, Engine, MinedBlocks } from "./engine/engine.js"
import type { GrpcClient } from "./grpc/grpcClient.js"
import { type After, withTimeLimit } from "./grpc/timeLimit.js"
import type { ClockAbility } from "./plugin/pluginClock.js"
import type { PluginOptions, PluginProcess } from "./plugin/pluginProcess.js"
import { VM } from "./proto/vm_pb.js"
import type { AliasPorts } from "./services/aliases.js"
import type { AppMessages } from "./services/appSender.js"
import type { SharedMemoryPort } from "./services/sharedMemory.js"
import type { PChainPort } from "./services/validatorState.js"
import type { VMSetup } from "./vmSetup.js"
import { Watchdog } from "./watchdog.js"

/** What a chain needs of its node. */
export interface HostPorts {
  readonly pChain: PChainPort
  readonly aliases: AliasPorts
  readonly hasLag: boolean
  /** The memory that a chain of the primary network shares with the others. */
  readonly sharedMemory?: SharedMemoryPort | undefined
  /** Signs a message with the node's BLS key. */
  sign(message: Uint8Array): Uint8Array
  /** Returns a function that signs for another validator of the chain; `undefined` if its key is not here. */
  signerOf(nodeID: Uint8Array): ((message: Uint8Array) => Uint8Array) | undefined
  blockMode(): ChainBlockMode
  /** Returns the machine's clock, Unix milliseconds. */
  now(): number
  readonly after: After
  onFault(error: unknown, where: string): void
  readonly log: Log
}

/** Options of one start of a chain. */
export interface RunOptions extends Omit<PluginOptions, "onFault"> {
  readonly setup: VMSetup
  readonly database: PluginDatabase
  readonly ports: HostPorts
  /** Ends the start, which then throws its reason. */
  readonly ending: AbortSignal
  /** Runs one task at a time, also over several starts. */
  alone<T>(task: () => Promise<T>): Promise<T>
  onAccepted(block: AcceptedBlock): void
}

/** A chain whose plugin runs. */
export class ChainRun {
  readonly #parts: RunParts
  readonly #watchdog: Watchdog
  /** The HTTP handlers of the VM by the end of their path, such as `/rpc`. */
  readonly handlers: ReadonlyMap<string, GrpcClient>
  /** The handler for requests that name the chain in a header and not in their path; `undefined` if the VM has none. */
  readonly headerHandler: GrpcClient | undefined
  readonly version: string
  readonly contexts: BlockContexts
  /** The messages between the VM and other nodes. */
  readonly messages: AppMessages
  /** The validators of which the VM was told that they are online. */
  readonly #online = new Set<NodeID>()
  /** Resolves when what was set last is told. */
  #told: Promise<void> = Promise.resolve()
  /** Resolves with the reason when the chain can no longer run. */
  readonly failed: Promise<string>
  /** Ends the chain with a reason. */
  fail: (reason: string) => void = () => {}

  constructor(parts: RunParts) {
    this.#parts = parts
    this.contexts = parts.contexts
    this.messages = parts.messages
    this.handlers = parts.handlers
    this.headerHandler = parts.headerHandler
    this.version = parts.version
    const givenUp = new Promise<string>((resolve) => {
      this.fail = resolve
    })
    this.#watchdog = new Watchdog({
      health: (signal) => this.#parts.vm.call(VM.method.health, {}, { signal }),
      memory: () => this.memory,
      after: parts.after,
      onFailure: (reason) => this.fail(reason),
    })
    const { ended } = parts.plugin
    // A plugin that ends takes its connections with it, and its end is the better reason.
    const engineFailed = parts.engineFailed.then((reason) => {
      return Promise.race([ended, new Promise<string>((resolve) => parts.after(END_MILLISECONDS, () => resolve(reason)))])
    })
    this.failed = Promise.race([engineFailed, givenUp, ended])
  }

  /** What the VM says is wrong with it; `undefined` if it is healthy. */
  get illness(): string | undefined {
    return this.#watchdog.illness
  }

  /** The memory of the plugin, bytes; `undefined` if it is not known. */
  get memory(): number | undefined {
    return processMemory(this.#parts.plugin.pid)
  }

  get pid(): number {
    return this.#parts.plugin.pid
  }

  get protocol(): number {
    return this.#parts.plugin.protocol
  }

  get clock(): ClockAbility {
    return this.#parts.plugin.clock
  }

  /** Why the VM makes no block while the clock stands still; `undefined` if it does. */
  get stillReason(): string | undefined {
    return this.#parts.engine.stillReason
  }

  get lastLines(): readonly string[] {
    return this.#parts.plugin.lastLines
  }

  mine(count: number, waits: boolean): Promise<MinedBlocks> {
    return this.#parts.engine.mine(count, waits)
  }

  /** Looks again when the next block is due, after the block mode or the clock was set. */
  lookAgain(): void {
    this.#parts.engine.lookAgain()
  }

  /** Tells the VM which validators are online, besides this node, which always is. What is set later is told later. Throws `GrpcError`. */
  setOnline(nodeIDs: ReadonlySet<NodeID>): Promise<void> {
    const told = this.#told.then(() => this.#tellOnline(nodeIDs))
    this.#told = told.catch(() => {})
    return told
  }

  async #tellOnline(nodeIDs: ReadonlySet<NodeID>): Promise<void> {
    const gone = [...this.#online].filter((each) => !nodeIDs.has(each))
    const come = [...nodeIDs].filter((each) => !this.#online.has(each))
    for (const each of gone) this.#online.delete(each)
    for (const each of come) this.#online.add(each)
    const { name, major, minor, patch } = REFERENCE
    const { vm, after } = this.#parts
    const tell = (call: (signal: AbortSignal) => Promise<unknown>) => withTimeLimit(after, TELL_MILLISECONDS, call)
    for (const each of come) {
      const peer = { nodeId: hexToBytes(each), name, major, minor, patch }
      await tell((signal) => vm.call(VM.method.connected, peer, { signal }))
    }
    for (const each of gone) await tell((signal) => vm.call(VM.method.disconnected, { nodeId: hexToBytes(each) }, { signal }))
  }

  /** Returns the VM's metrics. Throws `GrpcError`, also if it takes long. */
  async metrics() {
    const gather = (signal: AbortSignal) => this.#parts.vm.call(VM.method.gather, {}, { signal })
    return (await withTimeLimit(this.#parts.after, GATHER_MILLISECONDS, gather)).metricFamilies
  }

  /** Ends the chain: the block in progress is finished, the VM writes what it has in memory, and the process ends. One that takes long is killed. */
  async stop(): Promise<void> {
    this.#watchdog.end()
    const cancelTimer = this.#parts.after(STOP_MILLISECONDS, () => this.#parts.plugin.kill())
    await this.#parts.engine.stop()
    await this.#parts.vm.call(VM.method.shutdown, {}).catch(() => this.#parts.plugin.kill())
    await this.#parts.plugin.stop()
    cancelTimer()
    this.close()
  }

  /** Ends the process at once, and waits until it has ended. The VM writes nothing more. */
  async kill(): Promise<void> {
    this.close()
    await this.#parts.plugin.ended
  }

  /** Ends the process at once, and closes all connections. */
  close(): void {
    this.#watchdog.end()
    this.#parts.plugin.kill()
    void this.#parts.engine.stop()
    for (const handler of this.handlers.values()) handler.close()
    this.headerHandler?.close()
    this.#parts.vm.close()
    for (const server of this.#parts.servers) server.close()
  }
}

/** The time in which the end of a process is noticed after its connections were lost, milliseconds. */
const END_MILLISECONDS = 500

/** The time that a VM has to finish its block and to write what it has in memory when it ends, milliseconds. */
const STOP_MILLISECONDS = 5000

/** The time that a VM has to hear of a validator, milliseconds. */
const TELL_MILLISECONDS = 2000

/** The time that a VM has for its metrics, milliseconds. The metrics of the node wait for them. */
const GATHER_MILLISECONDS = 1000

/** What makes up a chain that runs. */
export interface RunParts {
  readonly plugin: PluginProcess
  /** What the VM calls. */
  readonly servers: readonly { close(): void }[]
  readonly vm: GrpcClient
  readonly messages: AppMessages
  readonly engine: Engine
  readonly contexts: BlockContexts
  readonly engineFailed: Promise<string>
  readonly after: After
  readonly handlers: ReadonlyMap<string, GrpcClient>
  readonly headerHandler: GrpcClient | undefined
  readonly version: string
}

/** Returns the memory of a process in bytes, as Linux reports it; `undefined` on other systems, and for a process that has ended. */
function processMemory(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
