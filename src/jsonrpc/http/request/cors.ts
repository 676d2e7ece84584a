import { isIPv4 } from "node:net"

/** Alternating header names and values, as `writeHead` takes them. */
export type HeaderList = readonly string[]

const NO_HEADERS: HeaderList = []

/** Headers for browsers of other origins. */
export interface Cors {
  /** Returns the headers of an answer to a request with this method. */
  answer(origin: string, method: string): HeaderList
  /** Returns the headers of an answer to a preflight. */
  preflight(origin: string, method: string, requestedHeaders: string | undefined): HeaderList
  allows(origin: string): boolean
}

/** HTTP methods in upper case. OPTIONS is always allowed, so that every preflight is answered. */
const METHODS: readonly string[] = ["GET", "POST", "HEAD", "OPTIONS"]
const HEADERS: readonly string[] = ["Origin", "Accept", "Content-Type", "X-Requested-With", "Serac-Min-Height"]

export function cors(allowedOrigins: readonly string[]): Cors {
  if (allowedOrigins.includes("*")) return corsBy(() => true, "*")
  const patterns = allowedOrigins.map((origin) => origin.toLowerCase().split("*"))
  return corsBy((origin) => patterns.some((pattern) => matches(origin.toLowerCase(), pattern)))
}

/**
 * Returns the CORS policy for pages that may write: pages of this machine, and the allowed origins. `*` alone allows no origin; `https://*`
 * allows every HTTPS page.
 */
export function devCors(allowedOrigins: readonly string[]): Cors {
  const named = cors(allowedOrigins.filter((origin) => origin !== "*"))
  return corsBy((origin) => isLoopback(origin) || named.allows(origin))
}

function corsBy(allows: (origin: string) => boolean, shown?: string): Cors {
  const allowed = (origin: string): string[] => [
    "Access-Control-Allow-Origin",
    shown ?? origin,
    "Access-Control-Allow-Credentials",
    "true",
  ]
  const isAllowed = (origin: string, method: string): boolean => METHODS.includes(method.toUpperCase()) && allows(origin)
  return {
    allows,
    answer: (origin, method) => (isAllowed(origin, method) ? allowed(origin) : NO_HEADERS),
    preflight(origin, method, requestedHeaders) {
      if (!isAllowed(origin, method)) return NO_HEADERS
      const headers = headersIn(requestedHeaders ?? "")
      if (!headers.every((name) => HEADERS.includes(name))) return NO_HEADERS
      const listed = headers.length === 0 ? [] : ["Access-Control-Allow-Headers", headers.join(", ")]
      return [...allowed(origin), "Access-Control-Allow-Methods", method.toUpperCase(), ...listed]
    },
  }
}

/** Returns the header names in a list, in canonical case. Commas and spaces separate them; invalid names are ignored. */
function headersIn(list: string): string[] {
  return list.split(/[ ,]/).flatMap((each) => canonical(each.replace(/[^\w-]/g, "")) || [])
}

/** Matches an origin with one `*` in the pattern, which matches any text. */
function matches(origin: string, [start = "", end]: readonly string[]): boolean {
  if (end === undefined) return origin === start
  return origin.length >= start.length + end.length && origin.startsWith(start) && origin.endsWith(end)
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/(?:^|[-_])[a-z]/g, (letter) => letter.toUpperCase())
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  // Apps and browser extensions have origins with other schemes, and often use the host localhost.
  if (protocol !== "http:" && protocol !== "https:") return false
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."))
}
