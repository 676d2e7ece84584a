import { type Call, nodeClient } from "../client/client.js"
import { openRpcOf, services } from "../client/services.js"
import { idText } from "../core/types/id.js"
import { Api, type ApiOptions } from "../jsonrpc/api.js"
import { AnswerCache, type CacheCounts } from "../jsonrpc/call/answerCache.js"
import { discoverMethod, type PrintedDescription, printedDescription } from "../jsonrpc/discover.js"
import { type Check, HealthMonitor, type HealthPort } from "../jsonrpc/health/monitor.js"
import { CallMetrics } from "../jsonrpc/metrics/callMetrics.js"
import { Registry } from "../jsonrpc/metrics/registry.js"
import { leaseOf, type MountedService, mount } from "../jsonrpc/service.js"
import type { Keystore } from "../keystore/keystore.js"
import type { ChainHosting } from "../producer/chainHosting.js"
import type { PrivateChain } from "../producer/privateChain.js"
import type { NodePort } from "../services/context.js"
import { Contexts, type ContextsOptions } from "../services/contexts.js"
import { Memo } from "../services/memo.js"
import type { Store } from "../store/store.js"
import type { NodeOptions } from "./options.js"

export interface NodeApiOptions
  extends Omit<ContextsOptions, "memo" | "services">,
    Pick<ApiOptions, "isPublic" | "observe" | "onRefusal" | "onFault">,
    Pick<NodeOptions, "cacheBytes"> {
  /** Omitted if nothing may be written; every method of the service `keystore` then refuses. */
  readonly keystore?: Keystore | undefined
  /** The private chain; omitted for any other chain, which has no service `dev`. */
  readonly privateChain?: PrivateChain | undefined
  /** The chains that the node hosts; omitted if it hosts none. */
  readonly hosting?: { readonly host: ChainHosting } | undefined
  /** Returns false while the chain is not ready; its routes then answer 503. */
  readonly isReady: () => boolean
  /** Health checks besides that of readiness. */
  readonly checks?: readonly Check[]
  /** The store's values about the chain as a whole, which copies of the chain need. */
  readonly meta: Pick<Store, "getMeta">
  /** The health of all processes that serve the chain; that of this process by default. */
  readonly reportedHealth?: HealthPort | undefined
}

/** The API of a node without a transport, and the parts that a server needs. */
export interface NodeApi extends Pick<Api, "handle"> {
  readonly api: Api
  readonly node: NodePort
  readonly contexts: Contexts
  readonly meta: NodeApiOptions["meta"]
  /** The health of this process. */
  readonly health: HealthMonitor
  /** The health that is reported: of this process, or of all that serve the chain. */
  readonly reportedHealth: HealthPort
  readonly metrics: Registry
  readonly openRpc: PrintedDescription
  readonly isReady: () => boolean
  readonly onFault: NonNullable<ApiOptions["onFault"]>
  close(): void
}

const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024

/** Connects every service to the contexts of its methods. */
export function openApi(options: NodeApiOptions): NodeApi {
  const { dialect, node, meta, isPublic, isReady, checks = [], cacheBytes = DEFAULT_CACHE_BYTES } = options
  const [answers, memo] = [new AnswerCache((cacheBytes * 3) / 4), new Memo(cacheBytes / 4)]
  const answered = () => api.answered.map(({ name, paths }) => ({ name, path: paths[0] as string }))
  const contexts = new Contexts({ ...options, memo, services: answered, snapshot: () => options.snapshot() })
  const health = new HealthMonitor([readyCheck(() => node.isBootstrapped?.() ?? isReady()), ...checks], nowNanoseconds)
  const metrics = new Registry()
  const { reportedHealth = health } = options
  showCache(metrics, answers)
  showChain(metrics, { node, contexts, isReady })
  const calls = new CallMetrics(metrics)
  const faults = metrics.counter(
    "serac_faults_total",
    "Errors inside Serac; each ended a request, an event stream, a connection to a peer, or an attempt of the chain",
  )({})
  const onFault: NodeApi["onFault"] = (error, where) => {
    faults.value++
    options.onFault?.(error, where)
  }
  const openRpc = printedDescription((url) => openRpcOf(api.answered, node.version.version, url))
  const api: Api = new Api({
    dialect,
    textFormat: { hrp: node.hrp, cachedText: (kind, value, make) => memo.text(kind, value, make) },
    answers,
    answerRoom: node.answerRoom,
    services: mounted(options, contexts, reportedHealth),
    everywhere: [discoverMethod(openRpc)],
    isPublic,
    observe(call) {
      calls.called(call.method, call.seconds, call.error !== undefined)
      options.observe?.(call)
    },
    ...(options.onRefusal ? { onRefusal: options.onRefusal } : {}),
    onFault,
  })
  const handle: Api["handle"] = (path, body) => api.handle(path, body)
  const close = () => contexts.close()
  return { api, handle, node, contexts, meta, health, reportedHealth, metrics, openRpc, isReady, onFault, close }
}

function showCache(metrics: Registry, cache: AnswerCache): void {
  const counts = (of: keyof CacheCounts) => () =>
    Object.fromEntries([...cache.counts].map(([lifetime, each]) => [lifetime, each[of]]))
  const name = "serac_answer_cache"
  metrics.gauges(`${name}_hits_total`, "Answers found in the cache, by lifetime", "lifetime", counts("hits"), "counter")
  metrics.gauges(`${name}_misses_total`, "Answers that had to be made, by lifetime", "lifetime", counts("misses"), "counter")
  metrics.gauge(`${name}_bytes`, "Bytes that the answers in the cache take", () => cache.size)
}

function showChain(metrics: Registry, { node, contexts, isReady }: Pick<NodeApi, "node" | "contexts" | "isReady">): void {
  metrics.gauge("serac_mempool_transactions", "Transactions that wait for a block", () => node.mempoolSize())
  const height = () => (isReady() ? Number(heightIn(contexts)) : undefined)
  metrics.gauge("serac_chain_height", "Height of the last accepted block", height)
}

export function heightIn(contexts: Contexts): bigint {
  const lease = contexts.open()
  try {
    return lease.context.height
  } finally {
    lease.release()
  }
}

/** Connects the services to their contexts. The compiler compares each context with the one that the service's methods need. */
function mounted(options: NodeApiOptions, contexts: Contexts, health: HealthPort): readonly MountedService[] {
  const { dialect, node, keystore, privateChain: chain, hosting } = options
  const open = () => contexts.open()
  return [
    mount(services.platform, open),
    mount(services.info, open),
    mount(services.keystore, leaseOf({ dialect, keystore })),
    mount(services.avm, open, [`/ext/bc/${idText(node.genesis.xChainID)}`]),
    mount(services.proposervm, open),
    ...(chain ? [mount(services.dev, leaseOf({ dialect, node, chain, l1s: hosting?.host }))] : []),
    ...(node.containers ? [mount(services.index, open)] : []),
    ...(node.hasAdmin ? [mount(services.admin, open)] : []),
    mount(services.health, leaseOf({ health })),
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

/** Creates a client of a node's own API, which calls it without HTTP. */
export function clientOf({ handle }: Pick<NodeApi, "handle">): Call {
  return nodeClient(async (path, body) => {
    const reply = await handle(path, Buffer.from(body))
    return reply ? Buffer.concat(reply.body).toString("utf8") : ""
  })
}
