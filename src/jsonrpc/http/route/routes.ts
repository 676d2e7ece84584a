import { printJson } from "../../../core/lib/json.js"
import type { Api } from "../../api.js"
import type { Endpoint } from "../../call/endpoint.js"
import type { PrintedDescription } from "../../discover.js"
import type { EventHub } from "../../events/hub.js"
import type { HealthPort, HealthQuestion, HealthReport } from "../../health/monitor.js"
import { type HttpResponse, page, plainText } from "../response/send.js"
import type { BodyRoute } from "./bodyRoute.js"

/** The response of a page: available immediately, or sent by another process. */
export type PageResponse = HttpResponse | Promise<HttpResponse>

/** A JSON-RPC endpoint. A few paths also have a page for a plain GET. */
export interface RpcRoute {
  readonly kind: "rpc"
  readonly endpoint: Endpoint
  readonly get: ((query: string) => PageResponse) | undefined
}

/** The target of a path: calls, a page, a stream of events, or a body route. */
export type Route =
  | RpcRoute
  | { readonly kind: "page"; answer(method: string, query: string, serverUrl: string): PageResponse }
  | { readonly kind: "events"; readonly hub: EventHub }
  | BodyRoute

/** Routes by path. */
export type Routes = ReadonlyMap<string, Route>

/** A route that also has every path below its own, except those of `below`. */
export interface Subtree extends BodyRoute {
  /** Routes by the part of the path below the route's own. */
  readonly below?: Routes
}

/** Routes by path that also have every path below their own. */
export type Subtrees = ReadonlyMap<string, Subtree>

/** The path of the metrics. */
export const METRICS_PATH = "/ext/metrics"

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

/** The parts that are served over HTTP. */
export interface RouteOptions {
  readonly api: Api
  /** The health reports. They are also pages below the first path of this service. */
  readonly health: { readonly path: string; report(question: HealthQuestion, query: string): PageResponse }
  metrics(): PageResponse
  /** The streams of events by path. */
  readonly streams: ReadonlyMap<string, EventHub>
  /** Further routes by path. */
  readonly bodyRoutes?: Subtrees
  /** The API's description in OpenRPC; omitted if the dialect has none. */
  readonly openRpc: PrintedDescription | undefined
}

/** Returns every path that is served. */
export function routesOf({ api, health, metrics, streams, bodyRoutes = new Map(), openRpc }: RouteOptions): Routes {
  const routes = new Map<string, Route>()
  for (const [path, endpoint] of api.endpoints) routes.set(path, { kind: "rpc", endpoint, get: undefined })
  const report = (question: HealthQuestion) => (query: string) => health.report(question, query)
  const root = routes.get(health.path)
  if (root?.kind === "rpc") routes.set(health.path, { ...root, get: report("health") })
  for (const question of ["health", "readiness", "liveness"] as const) {
    routes.set(`${health.path}/${question}`, { kind: "page", answer: (_method, query) => report(question)(query) })
  }
  routes.set(METRICS_PATH, { kind: "page", answer: () => metrics() })
  for (const [path, hub] of streams) routes.set(path, { kind: "events", hub })
  for (const [path, route] of bodyRoutes) routes.set(path, route)
  if (openRpc) routes.set("/ext/openrpc.json", { kind: "page", answer: openRpcPage(openRpc) })
  return routes
}

/** Makes the page of metrics in Prometheus' format. */
export function metricsPage(text: string): HttpResponse {
  return page(METRICS_TYPE, text)
}

/** Makes the page that answers a question about health, with status 503 if a check fails. */
export function healthPage(health: HealthPort, question: HealthQuestion, query: string): PageResponse {
  const pageOf = (report: HealthReport) => page("application/json", `${printJson(report)}\n`, report.healthy ? 200 : 503)
  const report = health.report(question, new URLSearchParams(query).getAll("tag"))
  return report instanceof Promise ? report.then(pageOf) : pageOf(report)
}

function openRpcPage(description: PrintedDescription): (method: string, query: string, serverUrl: string) => HttpResponse {
  return (method, _query, serverUrl) => {
    if (method !== "GET" && method !== "HEAD") return plainText(405, `GET method required, received ${method}`)
    return { ...page("application/json", ""), body: [...description(serverUrl).chunks, Buffer.from("\n")] }
  }
}
