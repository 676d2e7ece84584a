import { idText } from "../core/types/id.js"
import { Api, type ApiOptions } from "../jsonrpc/api.js"
import type { CallReport, Endpoint } from "../jsonrpc/call/endpoint.js"
import { needsOtherProcess } from "../jsonrpc/call/notInThisProcess.js"
import { discoverMethod, type PrintedDescription, printedDescription } from "../jsonrpc/discover.js"
import { type Check, HealthMonitor } from "../jsonrpc/health/monitor.js"
import { CallMetrics } from "../jsonrpc/metrics/callMetrics.js"
import { Registry } from "../jsonrpc/metrics/registry.js"
import { leaseOf, type MountedService, mount } from "../jsonrpc/service.js"
import type { Keystore } from "../keystore/keystore.js"
import type { Dev } from "../producer/dev/dev.js"
import { AnswerCache, type CacheCounts, DEFAULT_CACHE_BYTES } from "../services/cache/answerCache.js"
import type { NodePort } from "../services/context.js"
import { Contexts, type ContextsOptions } from "../services/contexts.js"
import type { Store } from "../store/store.js"
import { openRpcOf, services } from "./services.js"

/** Parts of the API of a node. */
export interface NodeApiOptions
  extends Omit<ContextsOptions, "cache" | "services">,
    Pick<ApiOptions, "isPublic" | "observe" | "onRefusal" | "onFault"> {
  /** Omitted if nothing may be written; every method of the service `keystore` then refuses. */
  readonly keystore?: Keystore | undefined
  /** Omitted if the chain is not a private one; the service `dev` is then absent. */
  readonly dev?: Dev | undefined
  /** Returns false while the chain is not ready; its routes then answer 503. */
  isReady(): boolean
  /** Health checks besides that of readiness. */
  readonly checks?: readonly Check[]
  /** The maximum size of the answer cache, bytes; 256 MiB by default. */
  readonly cacheBytes?: number | undefined
  /** The store's values about the chain as a whole, which copies of the chain need. */
  readonly meta: Pick<Store, "getMeta">
  /** The main process, in a worker. It executes the calls that the worker cannot. */
  readonly main?: MainProcess | undefined
}

/** The main process from the view of a worker. */
export interface MainProcess {
  readonly forward: NonNullable<ApiOptions["forward"]>
  /** True if the node has the service `dev`. */
  readonly hasDev: boolean
}

/** The API of a node without a transport, and the parts that a server needs. */
export interface NodeApi extends Pick<Api, "handle"> {
  readonly api: Api
  readonly node: NodePort
  readonly contexts: Contexts
  readonly meta: NodeApiOptions["meta"]
  readonly health: HealthMonitor
  readonly metrics: Registry
  /** The description of the methods that this node serves, in OpenRPC. */
  readonly openRpc: PrintedDescription
  readonly isReady: () => boolean
  readonly onFault: NonNullable<ApiOptions["onFault"]>
  /** Returns the endpoint of a service. */
  endpointOf(service: string): Endpoint
  /** Reports a call that another process counts. */
  reportForwarded(call: CallReport): void
  close(): void
}

/** Connects every service to the contexts of its methods. */
export function openApi(options: NodeApiOptions): NodeApi {
  const { dialect, node, meta, isPublic, isReady, checks = [], cacheBytes = DEFAULT_CACHE_BYTES } = options
  const cache = new AnswerCache(cacheBytes)
  const answered = () => api.answered.map(({ name, paths }) => ({ name, path: paths[0] as string }))
  const contexts = new Contexts({ ...options, cache, services: answered, snapshot: () => options.snapshot() })
  const health = new HealthMonitor([readyCheck(() => node.isBootstrapped?.() ?? isReady()), ...checks], nowNanoseconds)
  const metrics = new Registry()
  showCache(metrics, cache)
  // A worker's metrics are added to those of the main process, which has the metrics of the chain.
  if (!options.main) showChain(metrics, { node, contexts, isReady })
  const calls = new CallMetrics(metrics)
  const faults = metrics.counter("serac_faults_total", "Errors inside Serac that ended a request or an event stream")({})
  const onFault: NodeApi["onFault"] = (error, where) => {
    faults.value++
    options.onFault?.(error, where)
  }
  const openRpc = printedDescription((url) => openRpcOf(api.answered, node.version.version, url))
  const api: Api = new Api({
    dialect,
    textFormat: { hrp: node.hrp },
    services: mounted(options, contexts, health),
    everywhere: [discoverMethod(openRpc)],
    isPublic,
    observe(call) {
      calls.called(call.method, call.seconds, call.error !== undefined)
      options.observe?.(call)
    },
    ...(options.onRefusal ? { onRefusal: options.onRefusal } : {}),
    onFault,
    ...(options.main ? { forward: options.main.forward } : {}),
  })
  const handle: Api["handle"] = (path, body) => api.handle(path, body)
  const endpointOf = (service: string) => requireEndpoint(api, service)
  const reportForwarded = (call: CallReport) => options.observe?.(call)
  const close = () => contexts.close()
  return { api, handle, node, contexts, meta, health, metrics, openRpc, isReady, onFault, endpointOf, reportForwarded, close }
}

function requireEndpoint(api: Api, service: string): Endpoint {
  const found = [...api.endpoints.values()].find((endpoint) => endpoint.service.name === service)
  if (!found) throw new Error(`there is no service ${service}`)
  return found
}

/** Adds the metrics of the answer cache: hits and misses by lifetime, and its size. */
function showCache(metrics: Registry, cache: AnswerCache): void {
  const counts = (of: keyof CacheCounts) => () =>
    Object.fromEntries(Object.entries(cache.counts).map(([lifetime, each]) => [lifetime, each[of]]))
  const name = "serac_answer_cache"
  metrics.gauges(`${name}_hits_total`, "Answers found in the cache, by lifetime", "lifetime", counts("hits"), "counter")
  metrics.gauges(`${name}_misses_total`, "Answers that had to be made, by lifetime", "lifetime", counts("misses"), "counter")
  metrics.gauge(`${name}_bytes`, "Bytes that the answers in the cache take", () => cache.size)
}

function showChain(metrics: Registry, { node, contexts, isReady }: Pick<NodeApi, "node" | "contexts" | "isReady">): void {
  metrics.gauge("serac_mempool_transactions", "Transactions that wait for a block", () => node.mempoolSize())
  metrics.gauge("serac_chain_height", "Height of the last accepted block", () => {
    if (!isReady()) return undefined
    const opened = contexts.open()
    try {
      return Number(opened.context.height)
    } finally {
      opened.release()
    }
  })
}

/** Connects the services to their contexts. The compiler compares each context with the one that the service's methods need. */
function mounted(options: NodeApiOptions, contexts: Contexts, health: HealthMonitor): readonly MountedService[] {
  const { dialect, node, keystore, dev, main } = options
  const open = () => contexts.open()
  const inMain = () => needsOtherProcess("keystore, private chain or health checks")
  return [
    mount(services.platform, open),
    mount(services.info, open),
    mount(services.keystore, main ? inMain : leaseOf({ dialect, keystore })),
    mount(services.avm, open, [`/ext/bc/${idText(node.genesis.xChainID)}`]),
    mount(services.proposervm, open),
    ...(dev ? [mount(services.dev, leaseOf({ dialect, node, dev }))] : main?.hasDev ? [mount(services.dev, inMain)] : []),
    ...(node.containers ? [mount(services.index, open)] : []),
    ...(node.hasAdmin ? [mount(services.admin, open)] : []),
    mount(services.health, main ? inMain : leaseOf({ health })),
  ]
}

/** AvalancheGo lists the subnets that are not yet bootstrapped. */
function readyCheck(isBootstrapped: () => boolean): Check {
  return {
    name: "bootstrapped",
    questions: ["health", "readiness"],
    run() {
      if (!isBootstrapped()) throw new Error("subnets not bootstrapped")
      return []
    },
  }
}

function nowNanoseconds(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n
}
