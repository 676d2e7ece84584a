import type { IncomingMessage } from "node:http"
import { type Cors, cors, devCors, type HeaderList } from "./cors.js"
import { hostCheck } from "./hosts.js"
import type { HttpOptions } from "./options.js"
import { cleanPath, locationOf, type Target, targetOf } from "./path.js"
import type { Route, Routes } from "./routes.js"
import { type Answer, errorText, plainText } from "./send.js"

const NOT_FOUND = errorText(404, "404 page not found")
const BAD_HOST = errorText(403, "invalid host specified")
const BAD_ORIGIN = errorText(403, "this origin may not use the dev interface")
const BAD_REQUEST: Answer = { ...plainText(400, "400 Bad Request"), closes: true }
const REQUEST_HEADERS = "Access-Control-Request-Method, Access-Control-Request-Headers"

/** The room that a request is for. */
export interface Entered {
  readonly route: Route
  readonly query: string
}

/** What the front makes of a request: its answer, or the room that it is for. */
export interface Admitted {
  /** The headers that every answer to it carries. */
  readonly common: HeaderList
  readonly outcome: Answer | Entered
}

/** What the front looks at. */
export type Asked = Pick<IncomingMessage, "url" | "method" | "headers">

/** What comes before any room (api.md §1.2): the node's header, other origins, the host, the path, in this order. */
export class Front {
  readonly #routes: Routes
  readonly #base: HeaderList
  readonly #preflightBase: HeaderList
  readonly #cors: Cors
  readonly #devCors: Cors
  readonly #isAllowedHost: (host: string | undefined) => boolean

  constructor({ nodeID, allowedHosts, allowedOrigins }: HttpOptions, routes: Routes) {
    const nodeHeader = nodeID === undefined ? [] : ["Node-Id", nodeID]
    this.#routes = routes
    this.#base = [...nodeHeader, "Vary", "Origin"]
    this.#preflightBase = [...nodeHeader, "Vary", `Origin, ${REQUEST_HEADERS}`]
    this.#cors = cors(allowedOrigins)
    this.#devCors = devCors(allowedOrigins)
    this.#isAllowedHost = hostCheck(allowedHosts)
  }

  admit({ url = "", method = "", headers }: Asked): Admitted {
    const target = this.#routes.has(url) ? { path: url, query: "" } : targetOf(url)
    if (!target) return { common: [], outcome: BAD_REQUEST }
    const { path, query, address } = target
    const route = this.#routes.get(path)
    const isPrivileged = route?.kind === "rpc" && route.endpoint.service.isPrivileged
    const policy = isPrivileged ? this.#devCors : this.#cors
    const origin = headers.origin === "" ? undefined : headers.origin
    const wanted = headers["access-control-request-method"]
    if (method === "OPTIONS" && wanted !== undefined && wanted !== "") {
      const asked = headers["access-control-request-headers"]
      const allowed = origin === undefined ? [] : policy.preflight(origin, wanted, asked)
      return { common: this.#preflightBase, outcome: { status: 200, headers: allowed, body: [] } }
    }
    const common = origin === undefined ? this.#base : [...this.#base, ...policy.answer(origin, method)]
    if (!this.#isAllowedHost(address?.host || headers.host)) return { common, outcome: BAD_HOST }
    if (!route) return { common, outcome: elsewhere(target) }
    if (isPrivileged && origin !== undefined && !policy.allows(origin)) return { common, outcome: BAD_ORIGIN }
    return { common, outcome: { route, query } }
  }
}

/** A path that is not clean is sent to the one that is; POST too. */
function elsewhere(target: Target): Answer {
  const clean = cleanPath(target.path)
  return clean === target.path ? NOT_FOUND : { status: 301, headers: ["Location", locationOf(clean, target)], body: [] }
}
