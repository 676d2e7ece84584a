import { readFileSync } from "node:fs"
import { hexToBytes } from "../core/lib/bytes.js"
import type { Log } from "../core/lib/log.js"
import type { WrapperPosition } from "../core/rules/epoch.js"
import { type ChainFacts, initializeRequest } from "./chainFacts.js"
import type { PluginDatabase } from "./database/pluginDatabase.js"
import { BlockContexts } from "./engine/blockContext.js"
import { type AcceptedBlock, type ChainBlockMode, Engine } from "./engine/engine.js"
import { GrpcClient } from "./grpc/grpcClient.js"
import { GrpcError } from "./grpc/grpcError.js"
import { GrpcServer } from "./grpc/grpcServer.js"
import { callRefusal, type PluginProcess, startPlugin } from "./plugin/pluginProcess.js"
import { readPosition, writePosition } from "./positionNote.js"
import { State, VM } from "./proto/vm_pb.js"
import { AppMessages, appSenderService } from "./services/appSender.js"
import { databaseService } from "./services/database.js"
import { type AliasPorts, aliasService, sharedMemoryService, warpSignerService } from "./services/smallServices.js"
import { type PChainPort, validatorStateService } from "./services/validatorState.js"
import { Watchdog } from "./watchdog.js"

/** What a chain needs of its node. */
export interface HostPorts {
  readonly pChain: PChainPort
  readonly aliases: AliasPorts
  readonly hasLag: boolean
  /** Signs a message with the node's BLS key. */
  sign(message: Uint8Array): Uint8Array
  /** Returns a function that signs for another validator of the chain; `undefined` if its key is not here. */
  signerOf(nodeID: Uint8Array): ((message: Uint8Array) => Uint8Array) | undefined
  blockMode(): ChainBlockMode
  /** Returns the machine's clock, Unix milliseconds. */
  now(): number
  /** Calls back after a time in milliseconds. Returns a function that cancels the timer. */
  after(milliseconds: number, task: () => void): () => void
  onFault(error: unknown, where: string): void
  readonly log: Log
}

/** Options of one start of a chain. */
export interface RunOptions {
  readonly path: string
  readonly facts: ChainFacts
  readonly database: PluginDatabase
  /** A directory that is removed if this process is killed; omitted if none is. */
  readonly scratchDir?: string | undefined
  readonly ports: HostPorts
  /** Runs one task at a time, also over several starts. */
  alone<T>(task: () => Promise<T>): Promise<T>
  onLine(line: string): void
  onAccepted(block: AcceptedBlock): void
}

/** A chain whose plugin runs. */
export class RunningChain {
  readonly #plugin: PluginProcess
  readonly #servers: readonly GrpcServer[]
  readonly #vm: GrpcClient
  readonly #engine: Engine
  readonly #watchdog: Watchdog
  /** The HTTP handlers of the VM by the end of their path, such as `/rpc`. */
  readonly handlers: ReadonlyMap<string, GrpcClient>
  /** The handler for requests that name the chain in a header and not in their path; `undefined` if the VM has none. */
  readonly headerHandler: GrpcClient | undefined
  readonly version: string
  readonly contexts: BlockContexts
  /** The messages between the VM and other nodes. */
  readonly messages: AppMessages
  /** Resolves with the reason when the chain can no longer run. */
  readonly failed: Promise<string>

  constructor(parts: ChainParts) {
    this.#plugin = parts.plugin
    this.#servers = parts.servers
    this.#vm = parts.vm
    this.#engine = parts.engine
    this.contexts = parts.contexts
    this.messages = parts.messages
    this.handlers = parts.handlers
    this.headerHandler = parts.headerHandler
    this.version = parts.version
    let fail: (reason: string) => void = () => {}
    const isMute = new Promise<string>((resolve) => {
      fail = resolve
    })
    this.#watchdog = new Watchdog({
      health: (signal) => this.#vm.call(VM.method.health, {}, { signal }),
      memory: () => this.memory,
      after: parts.after,
      onFailure: (reason) => fail(reason),
    })
    const { ended } = parts.plugin
    // A plugin that ends takes its connections with it, and its end is the better reason.
    const engineFailed = parts.engineFailed.then((reason) => {
      return Promise.race([ended, new Promise<string>((resolve) => parts.after(END_MILLISECONDS, () => resolve(reason)))])
    })
    this.failed = Promise.race([engineFailed, isMute, ended])
  }

  /** What the VM says is wrong with it; `undefined` if it is healthy. */
  get illness(): string | undefined {
    return this.#watchdog.illness
  }

  /** The memory of the plugin, bytes; `undefined` if it is not known. */
  get memory(): number | undefined {
    return processMemory(this.#plugin.pid)
  }

  get pid(): number {
    return this.#plugin.pid
  }

  get protocol(): number {
    return this.#plugin.protocol
  }

  get lastLines(): readonly string[] {
    return this.#plugin.lastLines
  }

  mine(count: number): Promise<number> {
    return this.#engine.mine(count)
  }

  modeWasSet(): void {
    this.#engine.modeWasSet()
  }

  /** Returns the VM's metrics. */
  async metrics() {
    return (await this.#vm.call(VM.method.gather, {})).metricFamilies
  }

  /** Ends the chain: the block in progress is finished, the VM writes what it has in memory, and the process ends. */
  async stop(): Promise<void> {
    this.#watchdog.end()
    const limit = AbortSignal.timeout(SHUTDOWN_MILLISECONDS)
    // A VM that hangs would never finish its block.
    await Promise.race([this.#engine.stop(), new Promise((resolve) => limit.addEventListener("abort", resolve))])
    await this.#vm.call(VM.method.shutdown, {}, { signal: limit }).catch(() => this.#plugin.kill())
    await this.#plugin.stop()
    this.close()
  }

  /** Ends the process at once, and waits until it has ended. The VM writes nothing more. */
  async kill(): Promise<void> {
    this.close()
    await this.#plugin.ended
  }

  /** Ends the process at once, and closes all connections. */
  close(): void {
    this.#watchdog.end()
    this.#plugin.kill()
    void this.#engine.stop()
    for (const handler of this.handlers.values()) handler.close()
    this.headerHandler?.close()
    this.#vm.close()
    for (const server of this.#servers) server.close()
  }
}

/** The time in which the end of a process is noticed after its connections were lost, milliseconds. */
const END_MILLISECONDS = 500

/** The time that a VM has to start its chain, milliseconds. It may have to execute thousands of blocks again. */
const INITIALIZE_MILLISECONDS = 300_000

/** The time that a VM has to write what it has in memory when it ends, milliseconds. */
const SHUTDOWN_MILLISECONDS = 5000

interface ChainParts {
  readonly plugin: PluginProcess
  readonly servers: readonly GrpcServer[]
  readonly vm: GrpcClient
  readonly messages: AppMessages
  readonly engine: Engine
  readonly contexts: BlockContexts
  readonly engineFailed: Promise<string>
  readonly after: HostPorts["after"]
  readonly handlers: ReadonlyMap<string, GrpcClient>
  readonly headerHandler: GrpcClient | undefined
  readonly version: string
}

/** Starts the plugin of a chain, and the chain in it. Throws `vm.*`. */
export async function runChain(options: RunOptions): Promise<RunningChain> {
  const { path, facts, scratchDir, onLine, ports } = options
  const plugin = await startPlugin({ path, scratchDir, onLine, onFault: ports.onFault })
  const vm = new GrpcClient(plugin.address)
  const messages = messagesOf(options, vm)
  const servers = serversOf(options, messages)
  try {
    const [database, services] = await Promise.all(servers.map((server) => server.listen()))
    const request = initializeRequest(facts, { database: database as string, services: services as string })
    const last = await vm.call(VM.method.initialize, request, { signal: AbortSignal.timeout(INITIALIZE_MILLISECONDS) })
    const handlers = await handlersOf(vm)
    const { version } = await vm.call(VM.method.version, {})
    await beginChain(vm, facts, last.lastAcceptedId)
    const position = last.height === 0n ? undefined : lastPosition(options, last.height)
    options.onAccepted({ id: last.lastAcceptedId, height: last.height })
    const parts = { plugin, vm, messages, servers, after: ports.after, ...engineOf(options, vm, position) }
    parts.engine.start()
    return new RunningChain({ ...parts, ...handlers, version })
  } catch (error) {
    vm.close()
    for (const server of servers) server.close()
    plugin.kill()
    throw error instanceof GrpcError ? await callRefusal(plugin, path, error, INITIALIZE_MILLISECONDS) : error
  }
}

/** Asks a VM for its HTTP handlers. */
async function handlersOf(vm: GrpcClient) {
  const { handlers } = await vm.call(VM.method.createHandlers, {})
  const { serverAddr } = await vm.call(VM.method.newHTTPHandler, {})
  return {
    handlers: new Map(handlers.map((each) => [each.prefix, new GrpcClient(each.serverAddr)])),
    headerHandler: serverAddr === "" ? undefined : new GrpcClient(serverAddr),
  }
}

function messagesOf({ facts, ports }: RunOptions, vm: GrpcClient): AppMessages {
  const { now, after, onFault, signerOf } = ports
  return new AppMessages({ nodeID: hexToBytes(facts.nodeID), vm, signerOf, now, after, onFault })
}

function serversOf({ facts, database, ports }: RunOptions, messages: AppMessages): readonly GrpcServer[] {
  const { networkID, chainID } = facts
  const { onFault, sign } = ports
  const services = [
    appSenderService(messages),
    validatorStateService(ports.pChain),
    warpSignerService({ networkID, chainID, sign }),
    aliasService(ports.aliases),
    sharedMemoryService(),
  ]
  return [new GrpcServer([databaseService(database)], onFault), new GrpcServer(services, onFault)]
}

/** Tells a VM that its chain is complete, in the order of AvalancheGo. */
async function beginChain(vm: GrpcClient, { nodeID }: ChainFacts, lastAcceptedID: Uint8Array): Promise<void> {
  await vm.call(VM.method.stateSyncEnabled, {})
  await vm.call(VM.method.setState, { state: State.BOOTSTRAPPING })
  await vm.call(VM.method.connected, { nodeId: hexToBytes(nodeID), name: "avalanchego", ...REFERENCE })
  await vm.call(VM.method.setPreference, { id: lastAcceptedID })
  await vm.call(VM.method.setState, { state: State.NORMAL_OP })
}

/** The version of AvalancheGo that a VM sees as its node's. */
const REFERENCE = { major: 1, minor: 15, patch: 0 }

/** Returns the position of the last block. The note is of an earlier block if the host was killed between a block and its note. */
function lastPosition({ database, ports }: RunOptions, height: bigint): WrapperPosition {
  const noted = readPosition(database)
  if (noted) return noted.position
  ports.log.debug("the last block has no note", { height })
  const timestamp = BigInt(Math.floor(ports.now() / 1000))
  return { timestamp, pChainHeight: ports.pChain.minimumHeight(), epoch: { pChainHeight: 0n, number: 0n, startTime: 0n } }
}

function engineOf(
  { facts, database, ports, alone, onAccepted }: RunOptions,
  vm: GrpcClient,
  position: WrapperPosition | undefined,
) {
  const { pChain, hasLag, log, now, after, blockMode } = ports
  const seconds = () => BigInt(Math.floor(now() / 1000))
  const contexts = new BlockContexts({ upgrades: facts.upgrades, pChain, hasLag, now: seconds }, position)
  let fail: (reason: string) => void = () => {}
  const engineFailed = new Promise<string>((resolve) => {
    fail = resolve
  })
  const engine = new Engine({
    vm,
    contexts,
    log,
    alone,
    blockMode,
    after,
    onAccepted: (block, next) => {
      writePosition(database, { height: block.height, position: next.position })
      onAccepted(block)
    },
    onFailure: (error) => fail((error as Error).message),
  })
  return { engine, contexts, engineFailed }
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
