import type { HttpResponse } from "./send.js"

/** A request for a route that is neither a call nor a page, with its whole body. */
export interface BodyRequest {
  readonly method: string
  /** The part of the path below the route's own; empty at the route itself. */
  readonly rest: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly contentType: string | undefined
  readonly body: Uint8Array
}

/** A route that gets the whole body of a request. */
export interface BodyRoute {
  readonly kind: "body"
  /** True where pages of foreign origins are refused. */
  readonly isPrivileged: boolean
  /** The HTTP methods that it takes. */
  readonly methods: readonly string[]
  answer(request: BodyRequest): Promise<HttpResponse>
}
