import type { ClientLimits, HttpOptions } from "../../jsonrpc/http/options.js"

/**
 * Divides the limits of a node among its processes, so that together they keep within them. Rates are not divided, because the processes
 * share units.
 */
export function shareOf(options: HttpOptions, processes: number): HttpOptions {
  const share = (limit: number) => Math.max(1, Math.floor(limit / processes))
  return {
    ...options,
    maxBuffered: share(options.maxBuffered),
    maxUnread: share(options.maxUnread),
    maxConnections: share(options.maxConnections),
    maxPending: share(options.maxPending),
    maxStreams: share(options.maxStreams),
    limits: options.limits && limitsShare(options.limits, share),
  }
}

function limitsShare(limits: ClientLimits, share: (limit: number) => number): ClientLimits {
  return {
    ...limits,
    connections: share(limits.connections),
    streams: share(limits.streams),
    pending: share(limits.pending),
    // At least one body and one answer of the largest size must fit.
    maxBuffered: Math.max(limits.maxBody, share(limits.maxBuffered)),
    maxUnread: share(limits.maxUnread),
  }
}
