import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { ClientBudget } from "../limits/clientBudget.js"
import { LoopScheduler } from "../limits/loopScheduler.js"
import { Meter, type MeterOptions } from "../limits/meter.js"
import { RateLimiter } from "../limits/rateLimiter.js"
import { Addresses } from "./addresses.js"
import { type HttpConnection, HttpConnections } from "./connections.js"
import { onActivity } from "./onActivity.js"
import type { HttpOptions } from "./options.js"
import type { ParsingPace, RequestParsing } from "./requestParsing.js"

/** The maximum time that Node takes to parse a request and to write its answer, also before V8 has optimized it, milliseconds. */
export const REQUEST_MILLISECONDS = 0.4

/** Number of reads and writes that most requests need, and the maximum time that the system and Node take for each, milliseconds. */
const USUAL_ACTIVITY = 6
const ACTIVITY_MILLISECONDS = 0.02

/** The debt, in bursts, from which on a client's connections are refused. */
const MAX_DEBT_BURSTS = 10

/** The maximum number of requests without an answer that Node parses at once; further ones are parsed in slices. */
const MAX_AT_ONCE = 16

/** The clients of a server and their limits. Without limits, each connection is a client of its own. */
export class Clients {
  readonly scheduler = new LoopScheduler()
  readonly answers: ClientBudget
  readonly bodies: ClientBudget
  readonly #addresses: Addresses
  readonly #connections: HttpConnections
  readonly #limiter: RateLimiter | undefined
  readonly #meters: MeterOptions
  readonly #minUnits: number
  readonly #connectionMilliseconds: number

  constructor(options: HttpOptions) {
    const { limits, trustedProxies, maxConnections, maxBuffered, maxUnread, writeTimeout } = options
    this.#addresses = new Addresses(trustedProxies)
    this.#connections = new HttpConnections({ total: maxConnections, each: limits?.connections, writeTimeout }, this.#addresses)
    this.#limiter = limits && new RateLimiter(limits, () => performance.now())
    this.#connectionMilliseconds = limits?.connectionMilliseconds ?? 0
    this.#minUnits = limits ? -MAX_DEBT_BURSTS * limits.burst : Number.NEGATIVE_INFINITY
    this.answers = new ClientBudget(maxUnread, limits?.maxUnread)
    this.bodies = new ClientBudget(maxBuffered, limits?.maxBuffered)
    this.#meters = {
      limiter: this.#limiter,
      scheduler: this.scheduler,
      answers: this.answers,
      unitsPerMillisecond: limits?.unitsPerMillisecond ?? 0,
      now: () => performance.now(),
      holdBack: (client, resumed) => this.#holdBack(client, resumed),
    }
  }

  /** Units taken from all clients since the start. */
  get charged(): number {
    return this.#limiter?.charged ?? 0
  }

  /** Counts and charges a connection. Ends it if its client has too many connections or too much debt. */
  connected(socket: Socket, parsing: RequestParsing): void {
    const isCharged = this.#limiter && !this.#addresses.isTrusted(socket.remoteAddress ?? "")
    const meter = isCharged ? this.meterAt(socket) : undefined
    // A connection that is refused takes as long as any other.
    meter?.charge(this.#connectionMilliseconds)
    if (!this.#connections.add(socket, parsing) || !meter) return
    if (this.owesTooMuch(meter)) socket.destroy()
    else onActivity(socket, () => this.#active(socket, meter))
  }

  /** Charges reads and writes beyond those that most requests need. A head or a body may arrive byte by byte. */
  #active(socket: Socket, meter: Meter): void {
    if (this.#connections.countActivity(socket) <= USUAL_ACTIVITY) return
    meter.spend(ACTIVITY_MILLISECONDS)
    // The socket is destroyed in the next tick: Node is about to read from it or write to it, and would end the process if it had no
    // handle.
    if (this.owesTooMuch(meter)) process.nextTick(() => socket.destroy())
  }

  /** Ends the connections that never had a request. */
  endUnusedConnections(): void {
    this.#connections.endUnused()
  }

  /** Counts a request that came in over a connection. */
  begin(socket: Socket, response: ServerResponse): HttpConnection | undefined {
    return this.#connections.begin(socket, response)
  }

  /** Returns whether an answer to an incomplete request may be written to a connection by hand. */
  isFree(socket: Socket): boolean {
    return this.#connections.isFree(socket)
  }

  /** Counts the end of a request. */
  end(connection: HttpConnection | undefined): void {
    if (connection) this.#connections.end(connection)
  }

  /** Stops reading from a client until its next turn. In one turn the bytes of one of its connections are parsed, not those of all. */
  #holdBack(client: string, resumed: () => void): void {
    this.#connections.hold(client)
    this.scheduler.resume(client, () => {
      resumed()
      this.#connections.release(client)
    })
  }

  /** Returns the pace at which the requests of a connection are parsed; `undefined` if clients are not limited. */
  paceOf(socket: Socket): ParsingPace | undefined {
    if (!this.#limiter) return undefined
    const { scheduler } = this
    const client = this.#addresses.clientOf(socket.remoteAddress ?? "")
    return {
      get isTurnOver() {
        return scheduler.isOver(0)
      },
      run: (parse) => scheduler.count(parse, this.#meters.now),
      wait: (callback) => scheduler.begin(client, callback),
    }
  }

  /**
   * Decides when a request is handled: now, or in the client's next turn of the event loop if the current one is used up. Nothing more is
   * read from the client until then. What was read with the request is parsed in slices if it may have many pieces or requests.
   */
  turnOf(meter: Meter, connection: HttpConnection | undefined, { headers }: IncomingMessage): "now" | "later" {
    if (!connection || !this.#limiter) return "now"
    if (connection.busy > MAX_AT_ONCE || headers["transfer-encoding"] !== undefined) connection.parsing.stop()
    if (!meter.isTurnOver) return "now"
    if (!connection.isHeld) meter.holdBack()
    return "later"
  }

  owesTooMuch(meter: Meter): boolean {
    return meter.units < this.#minUnits
  }

  /** Returns the meter of a request that came in over a connection. */
  meterOf(request: IncomingMessage, connection: HttpConnection | undefined): Meter {
    if (!this.#limiter) return new Meter(this.#meters, connection?.name ?? "")
    const forwarded = request.headers["x-forwarded-for"]
    return this.meterAt(request.socket, Array.isArray(forwarded) ? forwarded.join(",") : forwarded)
  }

  /** Returns the meter of the client at the other end of a socket, or behind the proxy there. */
  meterAt(socket: Socket, forwardedFor?: string): Meter {
    return new Meter(this.#meters, this.#addresses.clientOf(socket.remoteAddress ?? "", forwardedFor))
  }

  close(): void {
    this.scheduler.close()
  }
}
