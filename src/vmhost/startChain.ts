import { decode, encode } from "../core/codec/decode.js"
import { u64 } from "../core/codec/primitives.js"
import type { TypeOf } from "../core/codec/schema.js"
import { struct } from "../core/codec/struct.js"
import { hexToBytes } from "../core/lib/bytes.js"
import type { Invalid } from "../core/lib/invalid.js"
import { REFERENCE } from "../core/networks/reference.js"
import type { WrapperPosition } from "../core/rules/epoch.js"
import { ChainRun, type RunOptions, type RunParts } from "./chainRun.js"
import type { PluginDatabase } from "./database/pluginDatabase.js"
import { BlockContexts } from "./engine/blockContext.js"
import { Engine } from "./engine/engine.js"
import { vmError } from "./errors.js"
import { GrpcClient, type VMPort } from "./grpc/grpcClient.js"
import { GrpcError } from "./grpc/grpcError.js"
import { GrpcServer } from "./grpc/grpcServer.js"
import { callRefusal, startPlugin } from "./plugin/pluginProcess.js"
import { isNewerProtocol, PROTOCOLS } from "./plugin/pluginProtocol.js"
import { type InitializeResponse, State, VM } from "./proto/vm_pb.js"
import { aliasService } from "./services/aliases.js"
import { AppMessages, appSenderService } from "./services/appSender.js"
import { databaseService } from "./services/database.js"
import { sharedMemoryService } from "./services/sharedMemory.js"
import { validatorStateService } from "./services/validatorState.js"
import { warpSignerService } from "./services/warpSigner.js"
import { initializeRequest, type VMSetup } from "./vmSetup.js"

/** The time that a VM has for all calls of a start, milliseconds. It may have to execute thousands of blocks again. */
const START_MILLISECONDS = 300_000

/** Starts the plugin of a chain, and the chain in it. Throws `vm.*`, and the reason of `ending`. A process that failed has ended. */
export function startChain(options: RunOptions): Promise<ChainRun> {
  const { setup, ports } = options
  return withVM(options, async ({ last, vm, lied, now, ...initialized }) => {
    await beginChain(vm, setup, last.lastAcceptedId)
    const timed = { ...options, ports: { ...ports, now } }
    const position = last.height === 0n ? undefined : lastPosition(timed, last.height)
    options.onAccepted({ id: last.lastAcceptedId, height: last.height })
    const { engineFailed, ...engine } = engineOf(timed, vm.client, position)
    const failed = Promise.race([engineFailed, lied])
    const parts = { ...initialized, vm: vm.client, after: ports.after, ...engine, engineFailed: failed }
    parts.engine.start()
    return new ChainRun(parts)
  })
}

/**
 * Tries whether a VM takes the files of a chain: it is told of the chain, does a task, and is ended. It makes no blocks. Throws as `startChain`
 * does.
 */
export async function tryChain<T>(options: VMOptions, task: (vm: Pick<InitializedVM, "handlers">) => Promise<T>): Promise<T> {
  return withVM(options, async (initialized) => {
    const result = await task(initialized)
    await end(initialized)
    return result
  })
}

type VMOptions = Omit<RunOptions, "alone" | "onAccepted">

/** A VM that was told of its chain, with what it uses. */
interface InitializedVM extends Pick<RunParts, "plugin" | "servers" | "messages" | "handlers" | "headerHandler" | "version"> {
  readonly vm: StartingVM
  readonly last: InitializeResponse
  /** Returns the time that the VM shows, Unix milliseconds. */
  now(): number
  /** Resolves with the reason when the VM was not true to its block. */
  readonly lied: Promise<string>
}

/** Starts a plugin, and tells it of its chain. All of this and the task have one time limit; a failure ends the plugin. */
async function withVM<T>(options: VMOptions, task: (vm: InitializedVM) => Promise<T>): Promise<T> {
  const { path, setup, ports, ending, clock } = options
  const plugin = await startPlugin({ ...options, onFault: ports.onFault })
  if (isNewerProtocol(plugin.protocol)) {
    ports.log.warn("the plugin speaks a newer version of the plugin protocol than this node knows, and may fail at any call", {
      path,
      version: plugin.protocol,
      known: PROTOCOLS.join(", "),
    })
  }
  const late = new AbortController()
  const cancelTimer = ports.after(START_MILLISECONDS, () => late.abort())
  const vm = new StartingVM(plugin.address, AbortSignal.any([late.signal, ending]))
  const now = () => clock.timeOf(plugin.clock, ports.now())
  const messages = messagesOf(options, vm.client, now)
  const gone = new AbortController()
  let onLie = (_reason: string) => {}
  const lied = new Promise<string>((resolve) => {
    onLie = resolve
  })
  const listening = serversOf(options, messages, gone.signal, (error) => onLie(error.message))
  const servers = [{ close: () => gone.abort() }, ...listening]
  try {
    const [database, services] = await Promise.all(listening.map((server) => server.listen()))
    const request = initializeRequest(setup, { database: database as string, services: services as string })
    const last = await vm.call(VM.method.initialize, request)
    if (plugin.clock === "none") checkTime(path, last, now())
    const behind = Math.trunc((clock.timeOf("stops", ports.now()) - now()) / 1000)
    if (behind !== 0) {
      ports.log.warn("the plugin does not show the time of the private chain", {
        path,
        clock: plugin.clock,
        secondsBehind: behind,
      })
    }
    const handlers = await handlersOf(vm)
    const { version } = await vm.call(VM.method.version, {})
    return await task({ plugin, vm, servers, messages, last, lied, now, ...handlers, version })
  } catch (error) {
    await end({ plugin, vm, servers })
    ending.throwIfAborted()
    if (late.signal.aborted) throw vmError("vm.silent", { path, call: vm.lastCall, seconds: START_MILLISECONDS / 1000 })
    throw error instanceof GrpcError ? await callRefusal(plugin, path, error, START_MILLISECONDS) : error
  } finally {
    cancelTimer()
  }
}

async function end({
  plugin,
  vm,
  servers,
  handlers,
  headerHandler,
}: Pick<InitializedVM, "plugin" | "vm" | "servers"> & Partial<InitializedVM>): Promise<void> {
  for (const each of [vm.client, ...servers, ...(handlers?.values() ?? []), headerHandler]) each?.close()
  plugin.kill()
  await plugin.ended
}

/** A VM whose chain starts. A signal ends each of its calls. */
class StartingVM implements VMPort {
  readonly client: GrpcClient
  readonly #signal: AbortSignal
  /** The name of the last call. */
  lastCall = ""

  constructor(address: string, signal: AbortSignal) {
    this.client = new GrpcClient(address)
    this.#signal = signal
  }

  readonly call: VMPort["call"] = (method, input) => {
    this.lastCall = method.name
    return this.client.call(method, input, { signal: this.#signal })
  }
}

/** Asks a VM for its HTTP handlers. */
async function handlersOf(vm: VMPort) {
  const { handlers } = await vm.call(VM.method.createHandlers, {})
  const { serverAddr } = await vm.call(VM.method.newHTTPHandler, {})
  return {
    handlers: new Map(handlers.map((each) => [each.prefix, new GrpcClient(each.serverAddr)])),
    headerHandler: serverAddr === "" ? undefined : new GrpcClient(serverAddr),
  }
}

function messagesOf({ setup, ports }: VMOptions, vm: GrpcClient, now: () => number): AppMessages {
  const { after, onFault, signerOf } = ports
  const { networkID, chainID } = setup
  return new AppMessages({ nodeID: hexToBytes(setup.nodeID), networkID, chainID, vm, signerOf, now, after, onFault })
}

/** The seconds by which a block may be ahead of the clock of its VM, as in AvalancheGo. */
const MAX_AHEAD = 10

/**
 * Refuses a chain whose last block is ahead of the machine's clock, which its VM shows. Another plugin, which follows the clock of the private chain, has made
 * the block, and this one would make none until the machine's clock has caught up. Throws `vm.clock`.
 */
function checkTime(path: string, { height, timestamp }: InitializeResponse, now: number): void {
  const lastBlock = Number(timestamp?.seconds ?? 0n)
  const shown = Math.floor(now / 1000)
  if (height > 0n && lastBlock > shown + MAX_AHEAD) throw vmError("vm.clock", { path, lastBlock, shown })
}

/** Makes the servers that a VM calls. `gone` says that the plugin has ended. */
function serversOf(
  { setup, database, ports }: VMOptions,
  messages: AppMessages,
  gone: AbortSignal,
  onLie: (error: Invalid) => void,
): readonly GrpcServer[] {
  const { networkID, chainID } = setup
  const { onFault, sign } = ports
  const services = [
    appSenderService(messages),
    validatorStateService(ports.pChain),
    warpSignerService({ networkID, chainID, sign }),
    aliasService(ports.aliases),
    sharedMemoryService(ports.sharedMemory, onLie),
  ]
  return [new GrpcServer([databaseService(database, gone)], onFault), new GrpcServer(services, onFault)]
}

/** Tells a VM that its chain is complete, in the order of AvalancheGo. */
async function beginChain(vm: VMPort, { nodeID }: VMSetup, lastAcceptedID: Uint8Array): Promise<void> {
  await vm.call(VM.method.stateSyncEnabled, {})
  await vm.call(VM.method.setState, { state: State.BOOTSTRAPPING })
  const { name, major, minor, patch } = REFERENCE
  await vm.call(VM.method.connected, { nodeId: hexToBytes(nodeID), name, major, minor, patch })
  await vm.call(VM.method.setPreference, { id: lastAcceptedID })
  await vm.call(VM.method.setState, { state: State.NORMAL_OP })
}

/** Returns the position of the last block, `ports.now` being what the VM shows. The note is of an earlier block if the host was killed between a block and its note. */
function lastPosition({ database, ports }: RunOptions, height: bigint): WrapperPosition {
  const noted = readPosition(database)
  if (noted) return noted.position
  ports.log.debug("the last block has no note", { height })
  const timestamp = BigInt(Math.floor(ports.now() / 1000))
  return { timestamp, pChainHeight: ports.pChain.minimumHeight(), epoch: { pChainHeight: 0n, number: 0n, startTime: 0n } }
}

function engineOf(
  { setup, database, clock, ports, alone, onAccepted }: RunOptions,
  vm: GrpcClient,
  position: WrapperPosition | undefined,
) {
  const { pChain, hasLag, log, now, after, blockMode, sharedMemory } = ports
  const seconds = () => BigInt(Math.floor(now() / 1000))
  const contexts = new BlockContexts({ upgrades: setup.upgrades, pChain, hasLag, now: seconds }, position)
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
    isStill: () => clock.isStill,
    after,
    sharedMemory,
    onAccepted: (block, next) => {
      writePosition(database, { height: block.height, position: next.position })
      onAccepted(block)
    },
    onFailure: (error) => fail((error as Error).message),
  })
  return { engine, contexts, engineFailed }
}

const positionNote = struct({
  height: u64,
  position: struct({
    timestamp: u64,
    pChainHeight: u64,
    epoch: struct({ pChainHeight: u64, number: u64, startTime: u64 }),
  }),
})

/** The P-Chain height and epoch of a block, and its own height. */
type PositionNote = TypeOf<typeof positionNote>

/** Returns the note about the last block; `undefined` if there is none. */
function readPosition(database: PluginDatabase): PositionNote | undefined {
  const bytes = database.note("position")
  return bytes && decode(positionNote, bytes)
}

/** Replaces the note about the last block. */
function writePosition(database: PluginDatabase, position: PositionNote): void {
  database.setNote("position", encode(positionNote, position))
}
