import type { Exchange } from "./exchange.js"

/**
 * Returns the address at which a client reached the server, from the request itself: `http://127.0.0.1:9650`. A proxy that ends TLS names the
 * scheme in `X-Forwarded-Proto`; only the client that sent the header sees the result. Empty if the request names no host.
 */
export function serverUrlOf({ request: { headers }, target }: Pick<Exchange, "request" | "target">): string {
  const host = target.address?.host || headers.host
  if (host === undefined || host === "") return ""
  return `${headers["x-forwarded-proto"] === "https" ? "https" : "http"}://${host}`
}
