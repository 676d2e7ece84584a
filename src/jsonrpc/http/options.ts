/** How the server listens and what it puts up with. Times in milliseconds, sizes in bytes. */
export interface HttpOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Names that a Host header may carry besides IP addresses; `*` allows all. */
  readonly allowedHosts: readonly string[]
  /** Origins that browsers may call from; `*` allows all, and one `*` inside an origin stands for anything. */
  readonly allowedOrigins: readonly string[]
  /** For the Node-Id header; a public server has none. */
  readonly nodeID: string | undefined
  readonly maxBody: number
  /** For `/ext/dev`, whose calls carry whole chains. */
  readonly maxDevBody: number
  /** What all bodies being read may take together. */
  readonly maxBuffered: number
  readonly maxConnections: number
  /** Calls that may wait for an answer at once. */
  readonly maxPending: number
  /** Clients that may listen for events at once. */
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
  /** What each client of a public server may use; left out: as much as they like. */
  readonly limits: ClientLimits | undefined
  /** Addresses or ranges (`10.0.0.0/8`) whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
}

/** How much a client may ask. */
export interface ClientLimits {
  /** Units of method cost that come back each second. */
  readonly unitsPerSecond: number
  /** Units that a client may save up. */
  readonly burst: number
  /** Milliseconds of a call that its cost pays for; each beyond takes a unit more. */
  readonly paidMilliseconds: number
  /** Connections at once. */
  readonly connections: number
  /** Bytes of a body. */
  readonly maxBody: number
  /** Heavy calls that run at once, of all clients together. */
  readonly heavy: number
  /** Heavy calls that may wait for their turn. */
  readonly heavyWaiting: number
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
  trustedProxies: [],
}

/**
 * What a client of a public server may use unless the operator says otherwise. Strangers send no keystores: their largest request is a
 * transaction in hex, of half a MiB.
 */
export const defaultClientLimits: ClientLimits = {
  unitsPerSecond: 100,
  burst: 400,
  paidMilliseconds: 10,
  connections: 256,
  maxBody: MiB,
  heavy: 4,
  heavyWaiting: 64,
}
