import { EventHub } from "../jsonrpc/events/hub.js"
import type { HttpOptions } from "../jsonrpc/http/options.js"
import { PageServer } from "../jsonrpc/http/pageServer.js"
import { METRICS_PATH, type Routes, routesOf } from "../jsonrpc/http/routes.js"
import { HttpServer, type Listening } from "../jsonrpc/http/server.js"
import { HttpMetrics } from "../jsonrpc/metrics/httpMetrics.js"
import { ProcessMetrics } from "../jsonrpc/metrics/processMetrics.js"
import { blockFeed } from "../services/events/blockFeed.js"
import type { NodeApi } from "./api.js"
import { pageFilesIn, pageFolder } from "./pageFiles.js"
import { EVENT_PATHS, services } from "./services.js"

/** A server that can listen and be closed. */
export interface NodeServer {
  /** Throws what the system says where the address is not to be had. */
  listen(): Promise<Listening & { readonly metricsUrl?: string }>
  /** Takes no more requests, finishes those it has, and is gone. */
  close(): Promise<void>
}

/** Serves the API of a node over HTTP, with its metrics, health pages and event stream. `onResponse` receives the status of each response. */
export function openHttpServer(
  nodeApi: NodeApi,
  options: HttpOptions,
  onResponse: (status: number) => void = () => {},
): NodeServer {
  const { api, node, contexts, health, metrics, isReady, onFault } = nodeApi
  const hub = new EventHub({
    feed: blockFeed(node, () => contexts.open()),
    stallMilliseconds: options.writeTimeout,
    heartbeatMilliseconds: options.heartbeat,
  })
  const http = new HttpMetrics(metrics, {
    streams: () => hub.size,
    pending: () => server.pending,
    charged: () => server.charged,
    unread: () => server.unread,
  })
  metrics.gauge("serac_chain_height", "Height of the last accepted block", () => heightOf(nodeApi))
  metrics.gauge("serac_mempool_transactions", "Transactions that wait for a block", () => node.mempoolSize())
  const routes = routesOf({
    api,
    health: { monitor: health, path: services.health.paths[0] as string },
    metrics,
    eventPaths: EVENT_PATHS,
    openRpc: api.dialect === "contract" ? nodeApi.openRpc : undefined,
  })
  const responded = (status: number) => {
    http.responded(status)
    onResponse(status)
  }
  const files = pageFilesIn(options.hasPage ? pageFolder() : undefined)
  const aside = options.metrics && new PageServer(internalRoutes(routes), { ...options, ...options.metrics })
  const served = aside ? without(routes, METRICS_PATH) : routes
  const server = new HttpServer({ dialect: api.dialect, routes: served, files, hub, isReady, responded, onFault }, options)
  const process = new ProcessMetrics(metrics)
  return {
    async listen() {
      const metricsUrl = aside && (await aside.listen()).url
      return { ...(await server.listen()), ...(metricsUrl === undefined ? {} : { metricsUrl: metricsUrl + METRICS_PATH }) }
    },
    async close() {
      await Promise.all([server.close(), aside?.close()])
      process.close()
    },
  }
}

/** The pages for those who run the node: metrics and health. */
function internalRoutes(routes: Routes): Routes {
  const isInternal = (path: string) => path === METRICS_PATH || services.health.paths.some((each) => path.startsWith(each))
  return new Map([...routes].filter(([path]) => isInternal(path)))
}

const without = (routes: Routes, path: string): Routes => new Map([...routes].filter(([each]) => each !== path))

function heightOf({ contexts, isReady }: NodeApi): number | undefined {
  if (!isReady()) return undefined
  const opened = contexts.open()
  try {
    return Number(opened.context.height)
  } finally {
    opened.release()
  }
}
