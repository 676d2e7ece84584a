import { isIP } from "node:net"
import { withLastResult } from "../../core/lib/withLastResult.js"

/**
 * Returns a check of Host headers, which accepts a missing header, an IP address, or a listed name in any letter case. It protects against
 * DNS rebinding: a page of another site that resolves its own name to this machine sends that name.
 */
export function hostCheck(allowed: readonly string[]): (host: string | undefined) => boolean {
  if (allowed.includes("*")) return () => true
  const names = new Set(allowed.map((name) => name.toLowerCase()))
  const known = new Map<string, boolean>()
  const isAllowed = (host: string): boolean => {
    const name = withoutPort(host)
    return names.has(name.toLowerCase()) || (isIP(name) !== 0 && !name.includes("%"))
  }
  const verdictOn = withLastResult((host: string) => {
    const before = known.get(host)
    if (before !== undefined) return before
    const verdict = isAllowed(host)
    if (known.size < MAX_KNOWN) known.set(host, verdict)
    return verdict
  })
  return (host) => host === undefined || host === "" || verdictOn(host)
}

/** Number of header texts that are remembered, because clients send the same header repeatedly. */
const MAX_KNOWN = 64

/** Removes the port of a host as Go's net.SplitHostPort does; returns the whole text if there is none. */
function withoutPort(host: string): string {
  const [, bracketed, plain] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):[^:[\]]*$/.exec(host) ?? []
  return bracketed ?? plain ?? host
}
