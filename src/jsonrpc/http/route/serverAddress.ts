import type { Exchange } from "../request/exchange.js"

/**
 * Returns the URL at which a client reached the server, from the request itself: `http://127.0.0.1:9650`. It is empty if the request names no
 * host. A proxy that ends TLS names the scheme in `X-Forwarded-Proto`; only the client that sent the header sees the result.
 */
export function serverUrlOf({ request: { headers }, target }: Pick<Exchange, "request" | "target">): string {
  const host = target.address?.host || headers.host
  return host === undefined || host === "" ? "" : `${headers["x-forwarded-proto"] === "https" ? "https" : "http"}://${host}`
}
