import { inDebt } from "../../call/reply.js"
import type { Dialect } from "../../schema/param.js"
import type { HttpParts } from "../httpParts.js"
import type { HttpOptions } from "../options.js"
import { errorText, type HttpResponse, plainText, rpcResponse } from "../response/send.js"
import type { Route, Routes, Subtrees } from "../route/routes.js"
import { fileResponse, type StaticFiles } from "../route/staticFiles.js"
import { type Cors, cors, devCors, type HeaderList } from "./cors.js"
import type { Exchange, HttpStep } from "./exchange.js"
import { type ForeignOriginCheck, foreignOriginCheck, isExtension } from "./foreignOrigin.js"
import { hostCheck } from "./hosts.js"
import { MIN_HEIGHT, readMinHeight } from "./minHeight.js"
import { cleanPath, locationOf, type Target, targetOf } from "./path.js"

const BAD_REQUEST: HttpResponse = { ...plainText(400, "400 Bad Request"), closes: true }
const BAD_ORIGIN = errorText(403, "this origin may not use the dev interface: --http-allowed-origins names those that may")
const FOREIGN_WRITE = errorText(
  403,
  "a page of this origin may not send calls or open WebSockets at this chain: --http-allowed-origins names those that may",
)

const HINT = "nothing is served at this path; /ext/openrpc.json lists what is"
const NOT_READY = errorText(503, "API call rejected because chain is not done bootstrapping")
/** Headers that pages of other origins may read besides the body. */
const EXPOSED: HeaderList = ["Access-Control-Expose-Headers", "Serac-Height"]
const REQUEST_HEADERS = "Access-Control-Request-Method, Access-Control-Request-Headers"

/** Options of the steps. */
export interface StepOptions extends Pick<HttpOptions, "nodeID" | "allowedHosts" | "allowedOrigins">, Pick<HttpParts, "hints"> {
  readonly dialect: Dialect
  readonly routes: Routes
  /** Routes that also have every path below their own. */
  readonly subtrees?: Subtrees
  /** Routes for requests that name one in the header `Avalanche-Api-Route`; without this the header means nothing. */
  readonly headerRoutes?: ReadonlyMap<string, Route>
  /** Files that are served to GET and HEAD if no route has their path. */
  readonly files: StaticFiles
  /** Returns false while the chain is not ready. */
  isReady(): boolean
}

/** The answer to a client that has used up its units. */
export function tooManyRequests(seconds: number): HttpResponse {
  const answer = errorText(429, "too many requests")
  return { ...answer, headers: [...answer.headers, "Retry-After", String(seconds)] }
}

function refuseHost({ target, request }: Exchange, isAllowed: ReturnType<typeof hostCheck>, dialect: StepOptions["dialect"]) {
  if (hasSeveralHosts(request.rawHeaders)) return errorText(400, "a request must have one Host header")
  const host = target.address?.host || request.headers.host
  return isAllowed(host) ? undefined : badHost(host ?? "", dialect)
}

/** Returns the steps of every request before it is served, in their order. */
export function stepsOf(options: StepOptions): readonly HttpStep[] {
  const { routes, subtrees = new Map(), headerRoutes, files, nodeID, allowedHosts, allowedOrigins, dialect, isReady } = options
  const nodeHeader = nodeID === undefined ? [] : ["Node-Id", nodeID]
  const everyHeader = [...nodeHeader, "Vary", "Origin"]
  const isAllowedHost = hostCheck(allowedHosts)
  const isForeign = foreignOriginCheck({ allowedOrigins, allowedHosts })
  const [common, privileged] = [cors(allowedOrigins), devCors(allowedOrigins)]
  const policyOf = ({ route }: Exchange): Cors => (isPrivileged(route) ? privileged : common)
  return [
    {
      name: "target",
      summary: "finds the path and the route; 400 if the request line names no path",
      run: (exchange) => findTarget(exchange, routes, subtrees, headerRoutes),
    },
    {
      name: "preflight",
      summary: "answers preflight requests of browsers, at any path",
      run: (exchange) => preflight(exchange, policyOf(exchange), nodeHeader),
    },
    {
      name: "headers",
      summary: "sets the headers of every answer: the node's ID, and what pages of the origin may read",
      run: (exchange) => setHeaders(exchange, policyOf(exchange), everyHeader, dialect),
    },
    {
      name: "host",
      summary: "400 for several Host headers, 403 for a Host that is not allowed, against DNS rebinding",
      run: (exchange) => refuseHost(exchange, isAllowedHost, dialect),
    },
    {
      name: "page",
      summary: "answers GET and HEAD of the page's own files; other requests for the same paths continue",
      run: (exchange) => servePage(exchange, files),
    },
    {
      name: "path",
      summary: "404 if nothing is served, 301 to the clean path",
      run: (exchange) => findRoute(exchange, options),
    },
    {
      name: "origin",
      summary:
        "marks pages of foreign origins, which may read but not write; 403 for them on the dev interface, and for what they send to chains of other programs",
      run: (exchange) => checkOrigin(exchange, isForeign),
    },
    {
      name: "readiness",
      summary: "503 while the chain is not ready",
      run: ({ route }) => (needsChain(route) && !isReady() ? NOT_READY : undefined),
    },
    {
      name: "height",
      summary: "400 for a Serac-Min-Height that is not a height; an answer below that height waits up to 2 s, and is then 503",
      run: (exchange) => (needsChain(exchange.route) ? readMinHeight(exchange) : undefined),
    },
    { name: "method", summary: "405 for an HTTP method that the route does not accept", run: refuseMethod },
    { name: "content type", summary: "415 for a call that is not application/json", run: refuseContentType },
    { name: "rate", summary: "429 for a client that has used up its units", run: refuseDebtor },
  ]
}

const isPrivileged = (route: Route | undefined): boolean =>
  route?.kind === "rpc" ? route.endpoint.service.isPrivileged : route?.kind === "body" && route.isPrivileged

const needsChain = (route: Route | undefined): boolean =>
  route?.kind === "events" || (route?.kind === "rpc" && route.endpoint.service.needsChain)

/** AvalancheGo's response to a header that names no chain. */
const NO_HEADER_ROUTE: HttpResponse = { status: 404, headers: [], body: [] }

function findTarget(
  exchange: Exchange,
  routes: Routes,
  subtrees: Subtrees,
  headerRoutes: StepOptions["headerRoutes"],
): HttpResponse | undefined {
  const { url = "", headers } = exchange.request
  const named = headerRoutes && headers["avalanche-api-route"]
  if (named !== undefined) {
    exchange.target = targetOf(url) ?? exchange.target
    exchange.route = headerRoutes?.get(String(named))
    return exchange.route ? undefined : NO_HEADER_ROUTE
  }
  const route = routes.get(url)
  const target = route ? { path: url, query: "" } : targetOf(url)
  if (!target) return BAD_REQUEST
  exchange.target = target
  exchange.route = route ?? routes.get(target.path)
  if (!exchange.route) findSubtree(exchange, subtrees)
  return undefined
}

/** Finds the route that has the path together with everything below it. A path that is not clean is left to the step that redirects. */
function findSubtree(exchange: Exchange, subtrees: Subtrees): void {
  const { path } = exchange.target
  for (const [root, route] of subtrees) {
    if ((path !== root && !path.startsWith(`${root}/`)) || cleanPath(path) !== path) continue
    exchange.subpath = path.slice(root.length)
    exchange.route = route.below?.get(exchange.subpath) ?? route
    return
  }
}

function preflight(exchange: Exchange, policy: Cors, nodeHeader: HeaderList): HttpResponse | undefined {
  const { method, headers } = exchange.request
  const wanted = headers["access-control-request-method"]
  if (method !== "OPTIONS" || wanted === undefined || wanted === "") return undefined
  exchange.headers = [...nodeHeader, "Vary", `Origin, ${REQUEST_HEADERS}`]
  const { origin } = headers
  const requested = headers["access-control-request-headers"]
  const allowed = origin === undefined || origin === "" ? [] : policy.preflight(origin, wanted, requested)
  return { status: 200, headers: allowed, body: [] }
}

function setHeaders(exchange: Exchange, policy: Cors, base: HeaderList, dialect: Dialect): undefined {
  const { method = "", headers } = exchange.request
  const { origin } = headers
  const shared = origin === undefined || origin === "" ? [] : policy.answer(origin, method)
  if (shared.length === 0) exchange.headers = base
  else if (dialect === "contract" || headers[MIN_HEIGHT] !== undefined) exchange.headers = [...base, ...shared, ...EXPOSED]
  else exchange.headers = [...base, ...shared]
}

/** A file costs one unit, like every request that is not a call. */
function servePage(exchange: Exchange, files: StaticFiles): HttpResponse | undefined {
  const answer = exchange.route ? undefined : fileResponse(files, exchange)
  const seconds = answer && exchange.meter.admit(1)
  return seconds === undefined ? answer : tooManyRequests(seconds)
}

function findRoute({ route, target }: Exchange, options: StepOptions): HttpResponse | undefined {
  return route ? undefined : elsewhere(target, options)
}

/** Number of characters of a host that the refusal repeats. */
const MAX_HOST = 253

/** Returns whether a list of header names and values has the name Host more than once. Proxies may read another one than Node. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === "host") hosts++
  return hosts > 1
}

function badHost(host: string, dialect: Dialect): HttpResponse {
  const words = "invalid host specified"
  if (dialect === "avalanchego") return errorText(403, words)
  const name = host.replace(/:\d*$/, "").slice(0, MAX_HOST)
  return errorText(403, `${words}: this server does not answer to ${name}; --http-allowed-hosts ${name} allows it`)
}

/** Redirects a path that is not clean to the clean one, also for POST. */
function elsewhere(target: Target, options: StepOptions): HttpResponse {
  const clean = cleanPath(target.path)
  if (clean !== target.path) return { status: 301, headers: ["Location", locationOf(clean, target)], body: [] }
  return errorText(404, notFoundText(clean, options))
}

/** AvalancheGo's text, and in Serac's own dialect the same with a hint. */
function notFoundText(path: string, { dialect, hints = new Map() }: StepOptions): string {
  const text = "404 page not found"
  if (dialect === "avalanchego") return text
  const [, hint = HINT] = [...hints].find(([beginning]) => path.startsWith(beginning)) ?? []
  return `${text}: ${hint}`
}

function checkOrigin(exchange: Exchange, isForeign: ForeignOriginCheck): HttpResponse | undefined {
  const { origin = "", host } = exchange.request.headers
  if (!isForeign(origin, exchange.target.address?.host || host)) return undefined
  if (isPrivileged(exchange.route)) return BAD_ORIGIN
  if (isExtension(origin)) return undefined
  exchange.foreignOrigin = origin
  return mayWrite(exchange) ? FOREIGN_WRITE : undefined
}

/** Returns whether a request may change a chain whose calls Serac does not read: a proxied chain, or that of a plugin. */
function mayWrite({ route, request: { method, headers } }: Exchange): boolean {
  return route?.kind === "body" && ((method !== "GET" && method !== "HEAD") || headers.upgrade !== undefined)
}

/** Returns whether a request is a call and not a plain GET of the page at the same path. */
const isCall = ({ route, request }: Exchange): boolean => route?.kind === "rpc" && !(route.get && request.method === "GET")

function refuseMethod(exchange: Exchange): HttpResponse | undefined {
  const { route, request } = exchange
  const { method = "" } = request
  if (isCall(exchange)) return method === "POST" ? undefined : plainText(405, `rpc: POST method required, received ${method}`)
  if (route?.kind === "body" && route.methods && !route.methods.includes(method)) {
    return plainText(405, `${route.methods.join(" or ")} method required, received ${method}`)
  }
  if (route?.kind !== "events" || method === "GET" || method === "HEAD") return undefined
  return plainText(405, `GET method required, received ${method}`)
}

function refuseContentType(exchange: Exchange): HttpResponse | undefined {
  const given = exchange.request.headers["content-type"] ?? ""
  if (given === "application/json" || !isCall(exchange)) return undefined
  const type = given.split(";", 1)[0] as string
  return type.toLowerCase() === "application/json" ? undefined : plainText(415, `rpc: unrecognized Content-Type: ${type}`)
}

/** Charges one unit for every request but a call, which pays for its method when its body has been read. */
function refuseDebtor(exchange: Exchange): HttpResponse | undefined {
  const { meter, route } = exchange
  if (route?.kind !== "rpc" || !isCall(exchange)) {
    const seconds = meter.admit(1)
    return seconds === undefined ? undefined : tooManyRequests(seconds)
  }
  const seconds = meter.debtSeconds
  // Reading the body would cost the server more than sending it cost the client.
  return seconds === undefined ? undefined : { ...rpcResponse(inDebt(seconds, route.endpoint.dialect)), closes: true }
}

/** Returns the response of the first step that has one. A client in debt gets only the response about its debt. */
export function runSteps(steps: readonly HttpStep[], exchange: Exchange): HttpResponse | undefined {
  for (const step of steps) {
    const answer = step.run(exchange)
    if (!answer) continue
    const seconds = answer.status === 429 ? undefined : exchange.meter.debtSeconds
    return seconds === undefined ? answer : { ...tooManyRequests(seconds), closes: true }
  }
  return undefined
}
