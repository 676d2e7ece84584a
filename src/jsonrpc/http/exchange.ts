import type { IncomingMessage, ServerResponse } from "node:http"
import type { Meter } from "../limits/meter.js"
import type { HttpConnection } from "./connections.js"
import type { HeaderList } from "./cors.js"
import type { Target } from "./path.js"
import type { Route } from "./routes.js"
import type { HttpResponse } from "./send.js"

/** The parts of a request that steps look at. */
export type RequestHead = Pick<IncomingMessage, "url" | "method" | "headers">

/** One request on its way through the steps. */
export interface Exchange {
  readonly request: RequestHead
  /** Charges the client for what the request takes. */
  readonly meter: Meter
  /** The headers that every answer to it carries. */
  headers: HeaderList
  /** Known from the first step on. */
  target: Target
  /** `undefined` where nothing is served at the path. */
  route: Route | undefined
  /** The part of the path below the route's own; known from the first step on. */
  rest?: string
  /** The origin of a page that may read but not write; known from the step `origin` on. */
  foreignOrigin?: string | undefined
  /** The height that the answer must have at least (`Serac-Min-Height`); known from the step `height` on. */
  minHeight?: bigint | undefined
}

/** An exchange whose answer can be written by Node. */
export interface OpenExchange extends Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** `undefined` where it is gone already. */
  readonly connection: HttpConnection | undefined
  /** True if the client sends its body only after `100 Continue` (`Expect: 100-continue`). */
  readonly isWaiting: boolean
}

/** Answers a request, or returns nothing and leaves it to the next step. */
export interface HttpStep {
  readonly name: string
  /** One sentence about what the step refuses or does. */
  readonly summary: string
  run(exchange: Exchange): HttpResponse | undefined
}
