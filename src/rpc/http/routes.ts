import { type Json, printJson } from "../../core/lib/json.js"
import type { Api } from "../api.js"
import type { Endpoint } from "../call/dispatch.js"
import type { HealthQuestion } from "../health/monitor.js"
import { EVENT_PATHS, interfaces } from "../interfaces.js"
import type { NodeMetrics } from "../metrics/nodeMetrics.js"
import { openRpc } from "../openrpc.js"
import { type Answer, page, plainText } from "./send.js"

/** JSON-RPC, and at a few places something for a plain GET. */
export interface RpcRoute {
  readonly kind: "rpc"
  readonly endpoint: Endpoint
  /** It changes the chain: pages of other origins may not call it, and its bodies are large. */
  readonly isDev: boolean
  /** True where nothing is answered before the chain is ready. */
  readonly waitsForChain: boolean
  readonly get: ((query: string) => Answer) | undefined
}

/** What is found at a path: calls, a page, or the stream of events. */
export type Route =
  | RpcRoute
  | { readonly kind: "page"; answer(method: string, query: string): Answer }
  | { readonly kind: "events" }

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

/** Every path that is served. */
export function routesOf(api: Api, metrics: NodeMetrics): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>()
  for (const [path, endpoint] of api.endpoints) routes.set(path, rpcRoute(api, endpoint))
  for (const question of ["health", "readiness", "liveness"] as const) {
    const answer = (_method: string, query: string) => healthPage(api, question, query)
    routes.set(`${interfaces.health.paths[0]}/${question}`, { kind: "page", answer })
  }
  routes.set("/ext/metrics", { kind: "page", answer: () => page(METRICS_TYPE, metrics.print()) })
  for (const path of EVENT_PATHS) routes.set(path, { kind: "events" })
  if (api.dialect === "contract") routes.set("/ext/openrpc.json", { kind: "page", answer: (method) => openRpcPage(api, method) })
  return routes
}

function rpcRoute(api: Api, endpoint: Endpoint): Route {
  const { service } = endpoint
  return {
    kind: "rpc",
    endpoint,
    isDev: service === "dev",
    waitsForChain: service === "platform" || service === "proposervm",
    get: service === "health" ? (query) => healthPage(api, "health", query) : undefined,
  }
}

function healthPage(api: Api, question: HealthQuestion, query: string): Answer {
  const report = api.health.report(question, new URLSearchParams(query).getAll("tag"))
  return page("application/json", `${printJson(report as unknown as Json)}\n`, report.healthy ? 200 : 503)
}

function openRpcPage(api: Api, method: string): Answer {
  if (method !== "GET" && method !== "HEAD") return plainText(405, `GET method required, received ${method}`)
  return page("application/json", `${printJson(openRpc(api.options.node.version.version))}\n`)
}
