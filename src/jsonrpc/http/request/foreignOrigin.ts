import type { HttpOptions } from "../options.js"
import { devCors } from "./cors.js"
import { hostCheck } from "./hosts.js"

/** Returns whether a request comes from a page that may read but not write. `host` is the Host header. */
export type ForeignOriginCheck = (origin: string | undefined, host: string | undefined) => boolean

/**
 * Returns the check of origins. A page is foreign unless it is from this machine, from an allowed origin (`*` does not count), or from this
 * server itself. Programs send no origin and are never foreign.
 */
export function foreignOriginCheck({
  allowedOrigins,
  allowedHosts,
}: Pick<HttpOptions, "allowedOrigins" | "allowedHosts">): ForeignOriginCheck {
  const trusted = devCors(allowedOrigins)
  // If every host is allowed, a page of any site could let its own name resolve to this machine, so only the names in the list count here.
  const isOwnHost = hostCheck(allowedHosts.filter((host) => host !== "*"))
  const isOwn = (origin: string, host: string | undefined): boolean =>
    host !== undefined && host !== "" && isOwnHost(host) && hostOf(origin) === host.toLowerCase()
  return (origin, host) => origin !== undefined && origin !== "" && !trusted.allows(origin) && !isOwn(origin, host)
}

/** Returns host and port of a web origin; `undefined` for origins of other schemes and for `null`. */
function hostOf(origin: string): string | undefined {
  const match = /^https?:\/\/([^/]*)$/i.exec(origin)
  return match?.[1]?.toLowerCase()
}

/** Returns whether an origin is that of a browser extension. They are programs that the user installed, such as wallets, and no page has such an origin. */
export const isExtension = (origin: string): boolean => /^(chrome|moz|safari-web)-extension:\/\//.test(origin)
