import { isIP } from "node:net"

/**
 * Returns a check of Host headers, which accepts a missing header, an IP address, or a listed name in any letter case. It protects against
 * DNS rebinding: a page of another site that resolves its own name to this machine sends that name.
 */
export function hostCheck(allowed: readonly string[]): (host: string | undefined) => boolean {
  if (allowed.includes("*")) return () => true
  const names = new Set(allowed.map((name) => name.toLowerCase()))
  const isAllowed = (host: string): boolean => {
    const name = withoutPort(host)
    return names.has(name.toLowerCase()) || (isIP(name) !== 0 && !name.includes("%"))
  }
  // Most requests name the same host as the one before them.
  let lastAllowed: string | undefined
  return (host) => {
    if (host === undefined || host === "" || host === lastAllowed) return true
    if (!isAllowed(host)) return false
    lastAllowed = host
    return true
  }
}

/** Removes the port of a host as Go's net.SplitHostPort does; returns the whole text if there is none. */
function withoutPort(host: string): string {
  const [, bracketed, plain] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):[^:[\]]*$/.exec(host) ?? []
  return bracketed ?? plain ?? host
}
