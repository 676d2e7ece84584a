import type { Exchange } from "../request/exchange.js"

/** The address at which a client reached the server. */
export interface ServerAddress {
  /** Host and port; `undefined` or empty if the request names none. */
  readonly host: string | undefined
  readonly isEncrypted: boolean
}

/**
 * Returns the address at which a client reached the server, from the request itself. A proxy that ends TLS names the scheme in
 * `X-Forwarded-Proto`; only the client that sent the header sees the result.
 */
export function serverAddressOf({ request: { headers }, target }: Pick<Exchange, "request" | "target">): ServerAddress {
  return { host: target.address?.host || headers.host, isEncrypted: headers["x-forwarded-proto"] === "https" }
}

/** Returns whether two addresses have the same URL. Joining and comparing the texts of URLs takes longer. */
export function isSameAddress(a: ServerAddress, b: ServerAddress): boolean {
  return a.host === b.host && a.isEncrypted === b.isEncrypted
}

/** Returns the URL of an address: `http://127.0.0.1:9650`. Empty if the address has no host. */
export function serverUrlOf({ host, isEncrypted }: ServerAddress): string {
  return host === undefined || host === "" ? "" : `${isEncrypted ? "https" : "http"}://${host}`
}
