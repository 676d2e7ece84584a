import type { IncomingMessage, ServerResponse } from "node:http"
import type { Meter } from "../../limits/meter.js"
import type { HttpConnection } from "../connection/connections.js"
import type { HttpResponse } from "../response/send.js"
import type { RequestHead } from "../route/bodyRoute.js"
import type { Route } from "../route/routes.js"
import type { HeaderList } from "./cors.js"
import type { Target } from "./path.js"

/** The target of a request before the first step has read it. */
export const NO_TARGET: Target = { path: "", query: "" }

/** One request during its steps. */
export interface Exchange {
  readonly request: RequestHead
  /** Charges the client for the resources that the request uses. */
  readonly meter: Meter
  /** The headers that every answer to it carries. */
  headers: HeaderList
  /** Set by the first step. */
  target: Target
  /** `undefined` if nothing is served at the path. */
  route: Route | undefined
  /** The part of the path below the route's own. Set by the first step. */
  subpath?: string
  /** The origin of a page that may read but not write. Set by the step `origin`. */
  foreignOrigin?: string | undefined
  /** The minimum height of the answer (`Serac-Min-Height`). Set by the step `height`. */
  minHeight?: bigint | undefined
}

/** An exchange whose answer can be written by Node. */
export interface OpenExchange extends Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** `undefined` if the connection has ended. */
  readonly connection: HttpConnection | undefined
  /** True if the client sends its body only after `100 Continue` (`Expect: 100-continue`). */
  readonly isWaiting: boolean
}

/** A request for a WebSocket, which is answered over its socket. */
export interface UpgradeExchange extends Exchange {
  readonly request: IncomingMessage
  /** The bytes that arrived after the request. */
  readonly head: Buffer
}

/**
 * Returns whether the client has disconnected. When a connection ends, Node destroys the response that it is sending but not the responses
 * that wait after it.
 */
export function isGone({ request, response }: OpenExchange): boolean {
  return response.destroyed || request.socket.destroyed
}

/** One step of a request: it answers the request, or returns `undefined` to continue with the next step. */
export interface HttpStep {
  readonly name: string
  /** One sentence about what the step refuses or does. */
  readonly summary: string
  run(exchange: Exchange): HttpResponse | undefined
}
