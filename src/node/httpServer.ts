import { EventHub } from "../jsonrpc/events/hub.js"
import type { HttpOptions } from "../jsonrpc/http/options.js"
import { routesOf } from "../jsonrpc/http/routes.js"
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
  listen(): Promise<Listening>
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
  const server = new HttpServer({ dialect: api.dialect, routes, files, hub, isReady, responded, onFault }, options)
  const process = new ProcessMetrics(metrics)
  return {
    listen: () => server.listen(),
    async close() {
      await server.close()
      process.close()
    },
  }
}

function heightOf({ contexts, isReady }: NodeApi): number | undefined {
  if (!isReady()) return undefined
  const opened = contexts.open()
  try {
    return Number(opened.context.height)
  } finally {
    opened.release()
  }
}
