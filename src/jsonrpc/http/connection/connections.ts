import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { LoopScheduler } from "../../limits/loopScheduler.js"
import type { Addresses } from "./addresses.js"
import { ReadTurns } from "./readTurns.js"

/** Limits of connections. */
export interface ConnectionLimits {
  /** The limit of all clients together. */
  readonly total: number
  /** The limit of one client; `undefined` for no limit. */
  readonly each: number | undefined
}

/** One connection. */
export interface HttpConnection {
  readonly socket: Socket
  readonly client: string
  /** Name of the client where each connection is a client of its own. */
  readonly name: string
  /** True until its first request was received. */
  isUnused: boolean
  /** True if one of its responses is an event stream, which has no end. */
  isStream: boolean
  /** True if nothing more of it becomes work, because it sent too many requests or bytes that are no request. */
  isEnding: boolean
  /** The responses to requests that were received and not yet answered, in their order. */
  readonly unanswered: Set<ServerResponse>
  /** Called when all requests have been answered. */
  onIdle: (() => void) | undefined
  /** Callbacks that run when the connection ends. They release the memory of answers that were not sent. */
  readonly onEnd: Set<() => void>
  /** Counts chunks of a body. */
  countChunks(chunks: number): void
}

/** The open connections, with a limit for each client and for all together. A connection beyond a limit is ended immediately. */
export class HttpConnections {
  readonly #limits: ConnectionLimits
  readonly #addresses: Addresses
  readonly #bySocket = new Map<Socket, HttpConnection>()
  readonly #counts = new Map<string, number>()
  readonly #readTurns: ReadTurns
  #next = 0

  constructor(limits: ConnectionLimits, addresses: Addresses, scheduler: LoopScheduler) {
    this.#limits = limits
    this.#addresses = addresses
    this.#readTurns = new ReadTurns(scheduler, () => this.#bySocket.values())
  }

  /** Counts a connection, or ends it if there are too many. A trusted proxy serves many clients, so it has no limit of its own. */
  add(socket: Socket): HttpConnection | undefined {
    const address = socket.remoteAddress ?? ""
    const client = this.#addresses.clientOf(address)
    const own = this.#counts.get(client) ?? 0
    const { total, each = total } = this.#limits
    if (this.#bySocket.size >= total || (own >= each && !this.#addresses.isTrusted(address))) {
      socket.destroy()
      return undefined
    }
    const connection: HttpConnection = {
      ...{ socket, client, name: `connection ${this.#next++}` },
      ...{ isUnused: true, isStream: false, isEnding: false, unanswered: new Set(), onIdle: undefined, onEnd: new Set() },
      countChunks: (chunks) => this.#readTurns.count(connection, chunks),
    }
    this.#bySocket.set(socket, connection)
    this.#counts.set(client, own + 1)
    socket.once("close", () => this.#forget(connection))
    return connection
  }

  /** Returns an open connection. */
  of(socket: Socket): HttpConnection | undefined {
    return this.#bySocket.get(socket)
  }

  /** Counts a request until it has been answered. */
  begin(connection: HttpConnection, response: ServerResponse): void {
    const { unanswered } = connection
    connection.isUnused = false
    unanswered.add(response)
    response.on("close", () => {
      unanswered.delete(response)
      if (unanswered.size === 0) connection.onIdle?.()
    })
  }

  /** Ends the connections that never had a request. Browsers open such connections in advance, and Node does not count them as idle. */
  endUnused(): void {
    for (const { socket, isUnused } of this.#bySocket.values()) if (isUnused) socket.destroy()
  }

  #forget(connection: HttpConnection): void {
    const { socket, client, onEnd } = connection
    this.#bySocket.delete(socket)
    const left = (this.#counts.get(client) ?? 1) - 1
    if (left === 0) this.#counts.delete(client)
    else this.#counts.set(client, left)
    for (const callback of onEnd) callback()
    onEnd.clear()
  }
}

/** Calls back when all requests of a connection have been answered, which is immediately for most connections. */
export function whenIdle(connection: HttpConnection, callback: () => void): void {
  if (connection.unanswered.size === 0) callback()
  else connection.onIdle = callback
}
