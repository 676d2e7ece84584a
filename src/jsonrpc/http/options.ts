import type { Rate } from "../limits/rateLimiter.js"

/** Options and limits of the HTTP server. Times are in milliseconds, sizes in bytes. */
export interface HttpOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Names that a Host header may carry besides IP addresses; `*` allows all. */
  readonly allowedHosts: readonly string[]
  /** Origins from which browsers may call; `*` allows all, and one `*` inside an origin matches any text. */
  readonly allowedOrigins: readonly string[]
  /** For the Node-Id header; a public server has none. */
  readonly nodeID: string | undefined
  readonly maxBody: number
  /** For `/ext/dev`, whose calls carry whole chains. */
  readonly maxDevBody: number
  /** All bodies together that are being read or answered, beyond the first 64 KiB of each. */
  readonly maxBuffered: number
  /** All answers together that clients have yet to read. */
  readonly maxUnread: number
  readonly maxConnections: number
  /** Calls that may wait for an answer at once. */
  readonly maxPending: number
  /** Streams of events that may be open at once. */
  readonly maxStreams: number
  /** To receive a whole request. */
  readonly readTimeout: number
  readonly headersTimeout: number
  /** To take an answer that is ready, or the next piece of a stream. */
  readonly writeTimeout: number
  /** Between two requests of a connection. */
  readonly idleTimeout: number
  /** To finish what was begun when the server stops. */
  readonly stopTimeout: number
  readonly heartbeat: number
  /** Limits of each client of a public server; none if left out. */
  readonly limits: ClientLimits | undefined
  /** Whether the page is served at `/`. */
  readonly hasPage: boolean
  /** A separate address for metrics and health pages; if left out they are served with everything else. */
  readonly metrics?: { readonly host: string; readonly port: number } | undefined
  /** Chains whose requests other nodes answer: the name or ID of each, and the address of the node. */
  readonly chainProxies?: readonly { readonly chain: string; readonly url: string }[] | undefined
  /** Addresses or ranges (`10.0.0.0/8`) whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
}

/** Limits of one client. */
export interface ClientLimits extends Rate {
  /** Units for a millisecond of the event loop. More than 1, since other threads collect the garbage of the same work. */
  readonly unitsPerMillisecond: number
  /** Connections at once. */
  readonly connections: number
  /** Streams of events at once. */
  readonly streams: number
  /** Calls that may wait for an answer at once. */
  readonly pending: number
  /** Bytes of a body. */
  readonly maxBody: number
  /** Bytes of all its bodies that are being read or answered, beyond the first 64 KiB of each. */
  readonly maxBuffered: number
  /** Bytes of all its answers that it has yet to read. */
  readonly maxUnread: number
  /** To receive the headers of a request, milliseconds. */
  readonly headersTimeout: number
}

const MiB = 1 << 20

/** As AvalancheGo where it has such a setting, and safe where it has none. */
export const defaultHttpOptions: HttpOptions = {
  host: "127.0.0.1",
  port: 9650,
  allowedHosts: ["localhost"],
  allowedOrigins: ["*"],
  nodeID: undefined,
  maxBody: 16 * MiB,
  maxDevBody: 1024 * MiB,
  maxBuffered: 256 * MiB,
  maxUnread: 512 * MiB,
  maxConnections: 4096,
  maxPending: 4096,
  maxStreams: 1024,
  readTimeout: 30_000,
  headersTimeout: 30_000,
  writeTimeout: 30_000,
  idleTimeout: 120_000,
  stopTimeout: 10_000,
  heartbeat: 15_000,
  limits: undefined,
  hasPage: true,
  trustedProxies: [],
}

/**
 * Default limits of a client of a public server. Public servers take no keystores, so the largest request is a transaction of 2 MiB in
 * hex, the largest since Helicon.
 */
export const defaultClientLimits: ClientLimits = {
  unitsPerSecond: 100,
  burst: 400,
  unitsPerMillisecond: 1.25,
  connections: 64,
  streams: 16,
  pending: 64,
  maxBody: 4.5 * MiB,
  maxBuffered: 16 * MiB,
  maxUnread: 64 * MiB,
  headersTimeout: 10_000,
}
