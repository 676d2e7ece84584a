import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import { Emitter } from "../core/lib/emitter.js"
import { hrpOf } from "../core/networks/names.js"
import { heightOf } from "../core/state/tables.js"
import { nodeIDText } from "../core/types/id.js"
import { defaultHttpOptions } from "../jsonrpc/http/options.js"
import type { ListenAddress } from "../jsonrpc/http/server.js"
import { Keystore } from "../keystore/keystore.js"
import { loadSecp256k1 } from "../platform/backends.js"
import type { NodePort } from "../services/context.js"
import type { Store } from "../store/store.js"
import { ActivityLog } from "./activityLog.js"
import { type NodeApi, openApi } from "./api.js"
import { healthLog, storeChecks, watchHistory } from "./health.js"
import { type HttpHooks, listenError, type NodeServer, openHttpServer, tryAddress } from "./http.js"
import { registerNodeMetrics } from "./metrics.js"
import type { NodeChain, NodeHooks } from "./nodeChain.js"
import type { NodeOptions } from "./options.js"
import { nodePort } from "./port.js"
import { type PublisherPart, publishersOf } from "./publisherPart.js"
import { registerL1Health } from "./watchedL1s.js"

export interface Node<S extends NodeChain = NodeChain> extends Pick<S, "data" | "identity"> {
  readonly api: NodeApi
  readonly chain: S
  /** Data directory; `undefined` if nothing is stored. */
  readonly dataDir: string | undefined
  readonly listening: ListenAddress | undefined
  /** Returns the node's clock, Unix seconds. */
  now(): bigint
  height(): bigint
  /** Resolves when the chain has begun: at once, or when the proofs of possession of its genesis are verified. Rejects if one is invalid. */
  readonly begun: Promise<void>
  /** Rejects when a fault in Serac stops the chain, or when it is no longer the chain that was opened. */
  readonly failed: Promise<never>
  /** Finishes the work in progress, and releases all resources. */
  stop(): Promise<void>
}

/** A step of the start of a node, and its counterpart when the node stops. */
interface Step {
  start?(): unknown
  stop(): unknown
}

/** Opens the chain in a store, or makes a new one. */
type OpenChain<O, S> = (store: Store, options: O & NodeHooks) => Promise<S>

/** Starts a node on an open store. Throws `node.*`, `store.*`, `genesis.*` if it cannot; the store is then closed. */
export async function startNode<O extends NodeOptions, S extends NodeChain>(
  store: Store,
  options: O,
  openChain: OpenChain<O, S>,
): Promise<Node<S>> {
  try {
    return await start(store, options, openChain)
  } catch (error) {
    await store.close()
    throw listenError(error, options.http) ?? error
  }
}

async function start<O extends NodeOptions, S extends NodeChain>(store: Store, options: O, openChain: OpenChain<O, S>) {
  const { log, dataDir } = options
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  // A failure that is not awaited yet is not an unhandled rejection.
  failed.catch(() => {})
  // The API counts faults, and is opened after the parts that may report some.
  const reportFault = (error: unknown, where: string) => api.onFault(error, where)
  const changes = new Emitter<AcceptedEvent>((error) => reportFault(error, "report of a change of the chain"))
  const hooks: NodeHooks = { reportFault, onFault: fail, stateChanged: (event) => changes.emit(event) }
  // Several processes share their address.
  if (options.http && !options.servingProcess) await tryAddress({ ...defaultHttpOptions, ...options.http })
  await loadSecp256k1()
  const chain = await openChain(store, { ...options, ...hooks })
  const publishers = await publishersOf(store, { ...options, reportFault }, chain)
  const { data, identity } = chain
  const { networkID, avaxAssetID } = data.rules
  const activity = new ActivityLog({ log, hrp: hrpOf(networkID), avaxAssetID, now: options.wall, isPublic: options.isPublic })
  const node = nodePort(chain, options, (listener) => changes.listen(listener))
  const api = apiOf(store, options, chain, publishers, activity, node)
  let listening: ListenAddress | undefined
  const listen = async (server: NodeServer) => {
    const { metricsUrl, ...address } = await server.listen()
    if (metricsUrl) log.info("metrics", { url: metricsUrl })
    listening = address
  }
  const chainStep = chainSteps(chain, fail)
  const steps: readonly Step[] = [
    { stop: () => store.close() },
    { stop: () => api.close() },
    { stop: () => activity.flush() },
    healthLog(api.health, log),
    chainStep.first,
    ...publishers,
    ...serversOf(options, chain, api, activity).map((server) => ({ start: () => listen(server), stop: () => server.close() })),
    chainStep.last,
  ]
  const stop = async () => {
    for (const step of [...steps].reverse()) await step.stop()
  }
  api.node.onAccepted((event) => activity.accepted(event))
  for (const publisher of publishers) api.node.onAccepted(() => publisher.wake())
  api.node.onAccepted(watchHistory(store, log))
  try {
    for (const step of steps) if (step.start) await step.start()
  } catch (error) {
    await stop()
    throw error
  }
  const [now, height] = [() => api.node.now(), () => heightOf(store.latest)]
  return { api, chain, data, identity, dataDir, listening, now, height, begun: chainStep.begun, failed, stop }
}

/** Returns the steps of a chain before and after the node listens. With proofs to verify it starts after them; reads are answered meanwhile. */
function chainSteps(chain: NodeChain, fail: (error: unknown) => void) {
  // Long work ends first, because the server waits for its calls.
  const { proofs, interrupt = () => {} } = chain
  const [start, stop] = [() => chain.start(), () => chain.stop()]
  if (!proofs) return { first: { start, stop }, last: { stop: interrupt }, begun: Promise.resolve() }
  const begun = proofs.verdict.then(start)
  begun.catch((error) => {
    if (!proofs.isStopped) fail(error)
  })
  const stopProofs = () => {
    proofs.stop()
    interrupt()
  }
  return { first: { stop }, last: { start: () => proofs.start(), stop: stopProofs }, begun }
}

function apiOf(
  store: Store,
  options: NodeOptions,
  chain: NodeChain,
  publishers: readonly PublisherPart[],
  activity: ActivityLog,
  node: NodePort,
): NodeApi {
  const { log, isPublic, servingProcess } = options
  const { rules } = chain.data
  const parts = [chain, ...publishers]
  const api = openApi({
    ...options,
    ...chain,
    rules,
    node,
    snapshot: () => store.view(),
    meta: store,
    keystore: isPublic || servingProcess ? undefined : new Keystore(store),
    checks: [...storeChecks(store, options), ...parts.flatMap(({ checks }) => checks)],
    reportedHealth: servingProcess,
    observe: (call) => activity.called(call),
    onRefusal: (error) => activity.refused(error),
    onFault: (error, where) => log.error("an error inside Serac", { where, error: String((error as Error).stack ?? error) }),
  })
  if (servingProcess) servingProcess.reports(api.health, api.metrics)
  registerNodeMetrics(api, store, options)
  registerL1Health(api, options.watchedL1s ?? [], rules, store)
  for (const part of parts) part.registerMetrics(api.metrics)
  return api
}

/** Opens the HTTP server of a node, if its options have one. */
function serversOf(options: NodeOptions, chain: NodeChain, api: NodeApi, activity: ActivityLog): readonly NodeServer[] {
  const { http, servingProcess, isPublic } = options
  if (!http) return []
  // A public server does not reveal its node ID in the header of responses.
  const nodeID = isPublic ? undefined : nodeIDText(chain.identity.nodeID)
  const hooks: HttpHooks = {
    onResponse: (status, client) => activity.responded(status, client),
    onUnknownProxy: (proxy) => activity.metUnknownProxy(proxy),
    servingProcess,
    hosting: chain.hosting,
  }
  return [openHttpServer(api, { ...defaultHttpOptions, nodeID, ...http }, hooks)]
}
