import type { ClientLimits, HttpOptions } from "../../jsonrpc/http/options.js"

/**
 * The least share of a client in one process. Connections go to the processes in turn, so several of a client may go to one process; and
 * the answers to one batch must fit.
 */
const MIN_CONNECTIONS = 8
const MIN_STREAMS = 4
const MIN_PENDING = 16
const MIN_UNREAD = 16 << 20

/** The maximum time that two processes take to pass a connection from one to the other, to open and to close it, milliseconds. */
const PASSED_CONNECTION_MILLISECONDS = 1

/**
 * Divides the limits of a node among its processes, so that together they keep within them, except for the least share of a client. Rates
 * are not divided, because the processes share units.
 */
export function shareOf(options: HttpOptions, processes: number): HttpOptions {
  const share = (limit: number, least = 1) => Math.max(Math.min(limit, least), Math.floor(limit / processes))
  return {
    ...options,
    maxBuffered: share(options.maxBuffered),
    maxUnread: share(options.maxUnread, MIN_UNREAD),
    maxConnections: share(options.maxConnections),
    maxPending: share(options.maxPending),
    maxStreams: share(options.maxStreams),
    limits: options.limits && limitsShare(options.limits, share),
  }
}

function limitsShare(limits: ClientLimits, share: (limit: number, least: number) => number): ClientLimits {
  return {
    ...limits,
    connections: share(limits.connections, MIN_CONNECTIONS),
    connectionMilliseconds: Math.max(limits.connectionMilliseconds, PASSED_CONNECTION_MILLISECONDS),
    streams: share(limits.streams, MIN_STREAMS),
    pending: share(limits.pending, MIN_PENDING),
    maxBuffered: share(limits.maxBuffered, limits.maxBody),
    maxUnread: share(limits.maxUnread, MIN_UNREAD),
  }
}
