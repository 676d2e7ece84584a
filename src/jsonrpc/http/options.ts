import { constants } from "node:buffer"
import type { Rate } from "../limits/rateLimiter.js"

/** Options and limits of the HTTP server. Times are in milliseconds, sizes in bytes. */
export interface HttpOptions {
  readonly host: string
  /** The port; 0 selects a free one. */
  readonly port: number
  /** Names that a Host header may carry besides IP addresses; `*` allows all. */
  readonly allowedHosts: readonly string[]
  /** Origins from which browsers may call; `*` allows all, and one `*` inside an origin matches any text. */
  readonly allowedOrigins: readonly string[]
  /** The node ID for the Node-Id header; `undefined` on a public server. */
  readonly nodeID: string | undefined
  readonly maxBody: number
  /** The maximum size of a body for `/ext/dev`, whose calls can contain whole chains. A longer text cannot be read. */
  readonly maxDevBody: number
  /** The maximum size of all bodies together that are being read or answered, beyond the first 64 KiB of each. */
  readonly maxBuffered: number
  /** The maximum size of all answers together that clients have not read yet. */
  readonly maxUnread: number
  readonly maxConnections: number
  /** Number of calls in flight. */
  readonly maxPending: number
  /** Number of open event streams. */
  readonly maxStreams: number
  /** Time to receive a whole request. */
  readonly readTimeout: number
  readonly headersTimeout: number
  /** Time for the client to read an answer, or the next part of a stream. */
  readonly writeTimeout: number
  /** Time between two requests of a connection. */
  readonly idleTimeout: number
  /** Time to finish pending requests when the server stops. */
  readonly stopTimeout: number
  readonly heartbeat: number
  /** Limits of each client of a public server; none by default. */
  readonly limits: ClientLimits | undefined
  /** Whether the page is served at `/`. */
  readonly hasPage: boolean
  /** A separate address for metrics and health pages; by default they are served with everything else. */
  readonly metrics?: { readonly host: string; readonly port: number } | undefined
  /** Chains whose requests are forwarded to other nodes: the name or ID of each chain, and the address of the node. */
  readonly chainProxies?: readonly { readonly chain: string; readonly url: string }[] | undefined
  /** Addresses or ranges (`10.0.0.0/8`) whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
}

/** Limits of one client. */
export interface ClientLimits extends Rate {
  /** Units per millisecond of the event loop. It is more than 1, because other threads collect the garbage of the same work. */
  readonly unitsPerMillisecond: number
  /** Number of open connections. */
  readonly connections: number
  /** Number of open event streams. */
  readonly streams: number
  /** Number of calls in flight. */
  readonly pending: number
  /** The maximum size of a body, bytes. */
  readonly maxBody: number
  /** The maximum size of all its bodies that are being read or answered, beyond the first 64 KiB of each, bytes. */
  readonly maxBuffered: number
  /** The maximum size of all its answers that it has not read yet, bytes. */
  readonly maxUnread: number
  /** Time to receive the headers of a request, milliseconds. */
  readonly headersTimeout: number
}

const MiB = 1 << 20

/** The default options: AvalancheGo's values if it has the setting, otherwise safe ones. */
export const defaultHttpOptions: HttpOptions = {
  host: "127.0.0.1",
  port: 9650,
  allowedHosts: ["localhost"],
  allowedOrigins: ["*"],
  nodeID: undefined,
  maxBody: 16 * MiB,
  maxDevBody: constants.MAX_STRING_LENGTH,
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
 * Default limits of a client of a public server. Public servers have no keystore, so the largest request is a transaction of 2 MiB in hex,
 * the largest since Helicon.
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

/** Returns the maximum size of an answer, bytes: what one client may leave unread. */
export function maxAnswerOf({ maxUnread = defaultHttpOptions.maxUnread, limits }: Partial<HttpOptions> = {}): number {
  return Math.min(maxUnread, limits?.maxUnread ?? maxUnread)
}
