import { isIPv4 } from "node:net"

/** Header names and values in turn, as `writeHead` takes them. */
export type HeaderList = readonly string[]

const NO_HEADERS: HeaderList = []

/** Headers for browsers of other origins (api.md §1.2). */
export interface Cors {
  /** For an answer to a request of this method. */
  answer(origin: string, method: string): HeaderList
  /** For an answer to a preflight. */
  preflight(origin: string, method: string, requestedHeaders: string | undefined): HeaderList
  allows(origin: string): boolean
}

/** In upper case. OPTIONS is always allowed, so that every preflight gets its answer. */
const METHODS: readonly string[] = ["GET", "POST", "HEAD", "OPTIONS"]
const HEADERS: readonly string[] = ["Origin", "Accept", "Content-Type", "X-Requested-With", "Serac-Min-Height"]

export function cors(allowedOrigins: readonly string[]): Cors {
  if (allowedOrigins.includes("*")) return corsBy(() => true, "*")
  const patterns = allowedOrigins.map((origin) => origin.toLowerCase().split("*"))
  return corsBy((origin) => patterns.some((pattern) => matches(origin.toLowerCase(), pattern)))
}

/**
 * Returns the CORS policy for pages that may write: pages of this machine, and the named origins. `*` names none, `https://*` every secure
 * page.
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
      const asked = headers.length === 0 ? [] : ["Access-Control-Allow-Headers", headers.join(", ")]
      return [...allowed(origin), "Access-Control-Allow-Methods", method.toUpperCase(), ...asked]
    },
  }
}

/** The names in a list, in canonical case. Commas and spaces separate; what no name may hold is passed over. */
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
  // Apps and extensions of a browser have origins of other schemes, and often call their host localhost.
  if (protocol !== "http:" && protocol !== "https:") return false
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."))
}
