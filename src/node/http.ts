import { once } from "node:events"
import { createServer } from "node:net"
import { BLOCK_STREAM_PATHS, EVENT_PATHS, RELAY_EVENTS_PATH, services } from "../client/services.js"
import type { Invalid } from "../core/lib/invalid.js"
import { nodeError } from "../datadir/errors.js"
import type { Feed } from "../jsonrpc/events/feed.js"
import { EventHub } from "../jsonrpc/events/hub.js"
import type { HttpOptions } from "../jsonrpc/http/options.js"
import { PageServer } from "../jsonrpc/http/pageServer.js"
import { healthPage, METRICS_PATH, metricsPage, type Routes, routesOf } from "../jsonrpc/http/route/routes.js"
import { filesIn } from "../jsonrpc/http/route/staticFiles.js"
import { HttpServer, type ListenAddress } from "../jsonrpc/http/server.js"
import { HttpMetrics } from "../jsonrpc/metrics/httpMetrics.js"
import { ProcessMetrics } from "../jsonrpc/metrics/processMetrics.js"
import { blockFeed } from "../services/events/blockFeed.js"
import { heightIn, type NodeApi } from "./api.js"
import { proxyRoutes } from "./chainProxy.js"
import type { NodeHosting } from "./nodeChain.js"
import { outerBlockFeed } from "./outerBlockFeed.js"
import { pageFolder } from "./pageFolder.js"
import type { ServingProcess } from "./processes/servingProcess.js"
import { AGGREGATOR_PATH, signatureAggregator } from "./signatureAggregator.js"

export interface NodeServer {
  /** Listens at the address, and at that of the metrics if they have one. Throws the system's error if an address is not available. */
  listen(): Promise<ListenAddress & { readonly metricsUrl?: string }>
  /** Stops accepting requests, finishes those in progress, and closes. */
  close(): Promise<void>
}

export interface HttpHooks {
  readonly hosting?: NodeHosting | undefined
  onResponse?(status: number, client: string): void
  onUnknownProxy?(address: string): void
  /** This process as one of several; by default the metrics are those of this process. */
  readonly servingProcess?: ServingProcess | undefined
}

function hubOf(feed: Feed, { onFault }: NodeApi, { writeTimeout, heartbeat }: HttpOptions): EventHub {
  return new EventHub({
    feed,
    stallMilliseconds: writeTimeout,
    heartbeatMilliseconds: heartbeat,
    onFault: (error) => onFault(error, "event stream"),
  })
}

/** Serves the API of a node over HTTP, with its metrics, health pages and event stream. */
export function openHttpServer(nodeApi: NodeApi, options: HttpOptions, hooks: HttpHooks = {}): NodeServer {
  const { api, metrics, isReady, onFault } = nodeApi
  const { onResponse = () => {}, onUnknownProxy = () => {}, servingProcess, hosting } = hooks
  const contexts = () => nodeApi.contexts.open()
  const streams = new Map<string, EventHub>()
  const addStream = (paths: readonly string[], feed: Feed) => {
    const hub = hubOf(feed, nodeApi, options)
    for (const path of paths) streams.set(path, hub)
  }
  addStream(EVENT_PATHS, blockFeed(nodeApi.node, contexts))
  addStream(BLOCK_STREAM_PATHS, outerBlockFeed(nodeApi.node, nodeApi.meta, contexts))
  if (hosting) addStream([RELAY_EVENTS_PATH], hosting.relayFeed())
  const hubs = [...new Set(streams.values())]
  const http = new HttpMetrics(metrics, {
    streams: () => hubs.reduce((sum, { size }) => sum + size, 0),
    pending: () => server.pending,
    charged: () => server.charged,
    unread: () => server.unread,
  })
  const ownMetrics = async () => metrics.print() + ((await hosting?.metricsText()) ?? "")
  const routes = routesOf({
    api,
    health: {
      report: (question, query) => healthPage(nodeApi.reportedHealth, question, query),
      path: services.health.paths[0] as string,
    },
    metrics: async () => metricsPage(await (servingProcess ? servingProcess.metricsOfAll() : ownMetrics())),
    streams,
    bodyRoutes: new Map(api.answered.some(({ name }) => name === "dev") ? [[AGGREGATOR_PATH, signatureAggregator(nodeApi)]] : []),
    openRpc: api.dialect === "contract" ? nodeApi.openRpc : undefined,
  })
  const responded = (status: number, client: string) => {
    http.responded(status)
    onResponse(status, client)
  }
  const files = filesIn(options.hasPage ? pageFolder() : undefined)
  const aside = options.metrics && new PageServer(internalRoutes(routes), { ...options, ...options.metrics })
  const served = aside ? new Map([...routes].filter(([path]) => path !== METRICS_PATH)) : routes
  const subtrees = new Map(proxyRoutes(options.chainProxies, nodeApi.node.genesis))
  const headerRoutes = new Map()
  hosting?.addRoutes({ subtrees, headerRoutes }, nodeApi)
  const parts = {
    dialect: api.dialect,
    routes: served,
    subtrees,
    ...(hosting ? { headerRoutes } : {}),
    files,
    hints: new Map([["/ext/bc/", NO_SUCH_CHAIN]]),
    hubs,
    isReady,
    height: () => heightIn(nodeApi.contexts),
    responded,
    onUnknownProxy,
    onFault,
  }
  const server = new HttpServer(parts, options)
  const process = new ProcessMetrics(metrics)
  const listenAside = async () => (aside ? { metricsUrl: (await aside.listen()).url + METRICS_PATH } : {})
  return {
    listen: async () => ({ ...(await listenAside()), ...(await server.listen()) }),
    async close() {
      await Promise.all([server.close(), aside?.close()])
      process.close()
    },
  }
}

/** The answer to a call of a chain that the node does not run. */
const NO_SUCH_CHAIN =
  "nothing is served at this path; the C-Chain and L1s run beside a private chain with --plugin-dir, and not beside its copies, which forward calls to a node that runs them with --chain-proxy"

function internalRoutes(routes: Routes): Routes {
  const isInternal = (path: string) => path === METRICS_PATH || services.health.paths.some((each) => path.startsWith(each))
  return new Map([...routes].filter(([path]) => isInternal(path)))
}

/** Throws the system's error if the address of a server is not available, before anything is written for it. */
export async function tryAddress({ host, port = 0 }: Partial<ListenAddress>): Promise<void> {
  if (port === 0) return
  const server = createServer()
  server.listen(port, host)
  await once(server, "listening")
  server.close()
  await once(server, "close")
}

/** Reasons why a server cannot listen, by the code of the failing system call. */
const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "this machine does not have the address",
  ENOTFOUND: "the name of the host has no address",
  EAI_AGAIN: "the name of the host cannot be looked up now",
  EACCES: "the system does not allow this process to use the port; ports below 1024 need privileges",
}

/** Returns the refusal for a failed listen or look-up of the host's name; `undefined` for any other error. */
export function listenError(error: unknown, http: Partial<ListenAddress> | undefined): Invalid | undefined {
  const { code = "", syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  const place = { host: address ?? http?.host, port: port ?? http?.port }
  if (code === "EADDRINUSE") return nodeError("node.address_taken", place)
  const reason = LISTEN_REASONS[code]
  if (reason === undefined || (syscall !== "listen" && syscall !== "getaddrinfo")) return undefined
  return nodeError("node.cannot_listen", { ...place, reason, systemCode: code })
}
