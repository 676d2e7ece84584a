import { isIP } from "node:net"

/**
 * Whether a Host header may be served: none, an IP address, or a listed name in any letter case. What guards against DNS rebinding:
 * a page of another site that resolves its own name to this machine sends that name.
 */
export function hostCheck(allowed: readonly string[]): (host: string | undefined) => boolean {
  if (allowed.includes("*")) return () => true
  const names = new Set(allowed.map((name) => name.toLowerCase()))
  const known = new Map<string, boolean>()
  const isAllowed = (host: string): boolean => {
    const name = withoutPort(host)
    return (isIP(name) !== 0 && !name.includes("%")) || names.has(name.toLowerCase())
  }
  return (host) => {
    if (host === undefined || host === "") return true
    const before = known.get(host)
    if (before !== undefined) return before
    const verdict = isAllowed(host)
    if (known.size < MAX_KNOWN) known.set(host, verdict)
    return verdict
  }
}

/** Clients send one and the same header over and over; this many spellings are remembered. */
const MAX_KNOWN = 64

/** Removes the port of a host as Go's net.SplitHostPort does; returns the whole text if there is none. */
function withoutPort(host: string): string {
  const [, bracketed, plain] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):[^:[\]]*$/.exec(host) ?? []
  return bracketed ?? plain ?? host
}
