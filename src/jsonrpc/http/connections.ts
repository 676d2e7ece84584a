import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Addresses } from "./addresses.js"
import { AnswerBatch } from "./answerBatch.js"
import type { RequestParsing } from "./requestParsing.js"

/** Limits of connections. */
export interface ConnectionLimits {
  /** The limit of all clients together. */
  readonly total: number
  /** The limit of one client; `undefined` for no limit. */
  readonly each: number | undefined
  /** The time that a client has to read its answers, milliseconds. */
  readonly writeTimeout: number
}

/** One connection. */
export interface HttpConnection {
  readonly socket: Socket
  readonly parsing: Pick<RequestParsing, "stop">
  readonly client: string
  /** Name of the client where each connection is a client of its own. */
  readonly name: string
  /** True until its first request was received. */
  isUnused: boolean
  /** Requests that were received and not yet answered. */
  busy: number
  /** The response to the last request. */
  last: ServerResponse | undefined
  /** Reads and writes since the last request began. */
  activity: number
  /** True while reading from it is paused. */
  isHeld: boolean
  /** Collects answers. It is created with the first pipelined request. */
  batch: AnswerBatch | undefined
  /** Callbacks that run when the connection ends. They release the memory of answers that were not sent. */
  readonly onEnd: Set<() => void>
  /** The time at which it last became idle, as a number that grows with each connection and request. */
  since: number
}

/**
 * Divides the connections among clients. When all connections are taken, a new one replaces a connection of the client that has the most:
 * one without a request if there is any, otherwise the one that has been idle longest.
 */
export class HttpConnections {
  readonly #limits: ConnectionLimits
  readonly #addresses: Addresses
  readonly #bySocket = new Map<Socket, HttpConnection>()
  readonly #byClient = new Map<string, Set<HttpConnection>>()
  readonly #heldClients = new Set<string>()
  #count = 0

  constructor(limits: ConnectionLimits, addresses: Addresses) {
    this.#limits = limits
    this.#addresses = addresses
  }

  get size(): number {
    return this.#bySocket.size
  }

  /** Counts a connection, or ends it if its client has too many. A trusted proxy serves many clients, so it has no limit of its own. */
  add(socket: Socket, parsing: HttpConnection["parsing"]): boolean {
    const address = socket.remoteAddress ?? ""
    const client = this.#addresses.clientOf(address)
    const own = this.#byClient.get(client) ?? new Set<HttpConnection>()
    const { total, each = total } = this.#limits
    if (own.size >= each && !this.#addresses.isTrusted(address)) {
      socket.destroy()
      return false
    }
    if (this.#bySocket.size >= total) this.#dropOne(own.size)
    if (this.#bySocket.size >= total) {
      socket.destroy()
      return false
    }
    const connection: HttpConnection = {
      socket,
      parsing,
      client,
      name: `connection ${this.#count}`,
      isUnused: true,
      busy: 0,
      last: undefined,
      activity: 0,
      isHeld: false,
      batch: undefined,
      onEnd: new Set<() => void>(),
      since: this.#count++,
    }
    this.#bySocket.set(socket, connection)
    this.#byClient.set(client, own.add(connection))
    socket.once("close", () => this.#forget(connection))
    // Node resumes reading after every request that it has parsed.
    socket.on("resume", () => {
      if (connection.isHeld) socket.pause()
    })
    if (this.#heldClients.has(client)) holdConnection(connection)
    return true
  }

  /** Stops reading from the connections of a client, including those that it opens later. */
  hold(client: string): void {
    this.#heldClients.add(client)
    for (const connection of this.#byClient.get(client) ?? []) holdConnection(connection)
  }

  /** Reads from the connections of a client again. */
  release(client: string): void {
    if (!this.#heldClients.delete(client)) return
    for (const connection of this.#byClient.get(client) ?? []) {
      connection.isHeld = false
      connection.socket.resume()
    }
  }

  /** Ends the connections that never had a request. Browsers open such connections in advance, and Node does not count them as idle. */
  endUnused(): void {
    for (const { socket, isUnused } of this.#bySocket.values()) if (isUnused) socket.destroy()
  }

  /** Counts a read or a write, and returns the number of them since the last request began. */
  countActivity(socket: Socket): number {
    const connection = this.#bySocket.get(socket)
    return connection ? ++connection.activity : 0
  }

  /** Counts a request that came in over a connection. */
  begin(socket: Socket, response: ServerResponse): HttpConnection | undefined {
    const connection = this.#bySocket.get(socket)
    if (!connection) return undefined
    connection.last = response
    connection.activity = 0
    connection.isUnused = false
    if (connection.busy++ > 0) {
      connection.batch ??= new AnswerBatch(socket, this.#limits.writeTimeout)
      connection.batch.open()
    }
    return connection
  }

  /**
   * Returns whether an answer to an incomplete request may be written to a connection by hand: no earlier request waits for its answer, and
   * the incomplete one has none, if it is known.
   */
  isFree(socket: Socket): boolean {
    const { busy = 0, last } = this.#bySocket.get(socket) ?? {}
    return last && !last.req.complete ? busy === 1 && !last.headersSent : busy === 0
  }

  /** Counts the end of a request. */
  end(connection: HttpConnection): void {
    connection.busy--
    connection.since = this.#count++
  }

  /**
   * Ends a connection of the client that has the most connections, if the new client has fewer. It ends a connection in use only if the new
   * client has far fewer.
   */
  #dropOne(own: number): void {
    let most = new Set<HttpConnection>()
    for (const connections of this.#byClient.values()) if (connections.size > most.size) most = connections
    const [victim] = [...most].sort((a, b) => a.busy - b.busy || a.since - b.since)
    if (!victim || most.size <= own + (victim.busy > 0 ? 1 : 0)) return
    this.#forget(victim)
    victim.socket.destroy()
  }

  #forget(connection: HttpConnection): void {
    this.#bySocket.delete(connection.socket)
    const own = this.#byClient.get(connection.client)
    own?.delete(connection)
    if (own?.size === 0) this.#byClient.delete(connection.client)
    for (const callback of connection.onEnd) callback()
    connection.onEnd.clear()
  }
}

function holdConnection(connection: HttpConnection): void {
  if (connection.isHeld) return
  connection.isHeld = true
  connection.socket.pause()
}
