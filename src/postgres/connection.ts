import { createRequire } from "node:module"
import { connect, type Socket } from "node:net"
import type { Sql } from "postgres"
import { hexToBytes, toHex } from "../core/lib/bytes.js"
import { postgresError } from "./errors.js"

/** A connection, or a pool of them. Columns of the type bigint are read as bigint, and those of the type bytea as arrays of their own. */
export type Database = Sql<{ bigint: bigint; bytea: Uint8Array }>

/**
 * Byte strings, in place of the client library's type, which makes them part of buffers of 8 KiB that other values share. A cached row
 * would hold such a buffer.
 */
const bytea = {
  to: 17,
  from: [17],
  serialize: (bytes: Uint8Array) => `\\x${toHex(bytes)}`,
  parse: (text: string) => hexToBytes(text.slice(2)),
}

export interface ConnectionOptions {
  /** The maximum number of connections. */
  readonly max: number
  /** The name of the program that the server shows. */
  readonly name: string
  /**
   * True if array columns are read as arrays; otherwise they are read as text. The client library reads their types on every new
   * connection, and if the server ends the connection meanwhile, an unhandled rejection would end the process.
   */
  readonly readsArrays?: boolean
  /** Called when a connection was closed, by either side. */
  onClose?(): void
}

/** Timeout of connecting, seconds. */
const CONNECT_TIMEOUT = 10

/**
 * Opens a database; the first statement connects. The client library is loaded here, so that a node without PostgreSQL never loads it.
 * Throws `postgres.bad_url` and `postgres.no_driver`.
 */
export async function openDatabase(
  url: string,
  { max, name, readsArrays = false, onClose }: ConnectionOptions,
): Promise<Database> {
  checkUrl(url)
  requireDriver()
  const { default: postgres } = await import("postgres")
  const options = {
    max,
    connect_timeout: CONNECT_TIMEOUT,
    types: { bigint: postgres.BigInt, bytea },
    fetch_types: readsArrays,
    onnotice: () => {},
    ...(onClose ? { onclose: onClose } : {}),
    socket: socketsWithoutDelay(),
    connection: {
      application_name: name,
      TimeZone: "UTC",
      // A server that silently lost its client releases the client's locks after half a minute.
      tcp_keepalives_idle: 10,
      tcp_keepalives_interval: 5,
      tcp_keepalives_count: 4,
    },
  }
  return postgres(url, options)
}

/** Hosts and ports of a URL, in the order in which they are tried, or the path of a Unix socket, as the client library passes them. */
interface Servers {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string | false
}

/**
 * Returns the function that connects for the client library, which by itself keeps Nagle's algorithm on: the end of each COPY would wait
 * some 40 ms for the acknowledgement of its rows.
 */
function socketsWithoutDelay(): (servers: Servers) => Socket {
  let attempts = 0
  return ({ host: hosts, port: ports, path }) => {
    if (path) return connect({ path })
    const index = attempts++ % hosts.length
    const host = hosts[index] as string
    const socket = connect({ host, port: ports[index] as number, noDelay: true })
    // The client library verifies the certificate of a TLS server against this name.
    return Object.assign(socket, { host })
  }
}

/** Throws `postgres.no_driver` if the client library, an optional peer dependency, is not installed. */
export function requireDriver(): void {
  try {
    createRequire(import.meta.url).resolve("postgres")
  } catch {
    throw postgresError("postgres.no_driver")
  }
}

/** Throws `postgres.bad_url` if a URL cannot name a database. */
export function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isPostgres = parsed?.protocol === "postgres:" || parsed?.protocol === "postgresql:"
  if (!isPostgres || parsed.pathname.length < 2) throw postgresError("postgres.bad_url", { url: urlWithoutPassword(url) })
}

/** Returns a URL without the password, and without parameters, which may contain one too. */
export function urlWithoutPassword(url: string): string {
  if (!URL.canParse(url)) return ""
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`
}
