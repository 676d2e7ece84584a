import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { ClientBudget } from "../../limits/clientBudget.js"
import { LoopScheduler } from "../../limits/loopScheduler.js"
import { Meter, type MeterOptions } from "../../limits/meter.js"
import { RateLimiter } from "../../limits/rateLimiter.js"
import type { HttpOptions } from "../options.js"
import { Addresses } from "./addresses.js"
import { type HttpConnection, HttpConnections } from "./connections.js"

/** The milliseconds that each request is charged besides its measured time and its bytes: Node parses it and writes its answer. */
export const REQUEST_MILLISECONDS = 0.4

/** The milliseconds that are charged for a connection that the server ends because of what its client sent. */
export const ENDED_MILLISECONDS = 16

/** The debt, in bursts, from which on a client's connections are refused. */
const MAX_DEBT_BURSTS = 10

/** The clients of a server and their limits. Without limits, each connection is a client of its own. */
export class Clients {
  readonly scheduler = new LoopScheduler()
  readonly answers: ClientBudget
  readonly bodies: ClientBudget
  readonly connections: HttpConnections
  readonly #addresses: Addresses
  readonly #limiter: RateLimiter | undefined
  readonly #meters: MeterOptions
  readonly #minUnits: number
  readonly #onUnknownProxy: (address: string) => void
  #hasMetUnknownProxy = false

  /** `onUnknownProxy` is called once: with the address of a proxy that says for whom it asks, and that is not trusted. */
  constructor(options: HttpOptions, onUnknownProxy: (address: string) => void = () => {}) {
    this.#onUnknownProxy = onUnknownProxy
    const { limits, trustedProxies, maxConnections, maxBuffered, maxUnread } = options
    this.#addresses = new Addresses(trustedProxies)
    this.connections = new HttpConnections({ total: maxConnections, each: limits?.connections }, this.#addresses, this.scheduler)
    this.#limiter = limits && new RateLimiter(limits, () => performance.now())
    this.#minUnits = limits ? -MAX_DEBT_BURSTS * limits.burst : Number.NEGATIVE_INFINITY
    this.answers = new ClientBudget(maxUnread, limits?.maxUnread)
    this.bodies = new ClientBudget(maxBuffered, limits?.maxBuffered)
    this.#meters = {
      limiter: this.#limiter,
      scheduler: this.scheduler,
      answers: this.answers,
      unitsPerMillisecond: limits?.unitsPerMillisecond ?? 0,
      now: () => performance.now(),
      processorTime: () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1000
      },
    }
  }

  /** Units taken from all clients since the start. */
  get charged(): number {
    return this.#limiter?.charged ?? 0
  }

  /** Counts a connection. Ends it if there are too many, or if its client has too much debt. */
  connected(socket: Socket): void {
    if (!this.connections.add(socket) || !this.#limiter || this.#addresses.isTrusted(socket.remoteAddress ?? "")) return
    if (this.owesTooMuch(this.meterAt(socket))) socket.destroy()
  }

  /** True if the current turn of the event loop is used up, so that a request waits for its client's turn. */
  get isTurnOver(): boolean {
    return this.#limiter !== undefined && this.scheduler.isOver(0)
  }

  owesTooMuch(meter: Meter): boolean {
    return meter.units < this.#minUnits
  }

  /** Returns the meter of a request that came in over a connection. */
  meterOf(request: IncomingMessage, connection: HttpConnection | undefined): Meter {
    if (!this.#limiter) return new Meter(this.#meters, connection?.name ?? "", isEnded(request.socket))
    const forwarded = request.headers["x-forwarded-for"]
    if (forwarded !== undefined && !this.#hasMetUnknownProxy) this.#lookAtProxy(request.socket.remoteAddress ?? "")
    return this.meterAt(request.socket, Array.isArray(forwarded) ? forwarded.join(",") : forwarded)
  }

  /** Returns the meter of the client at the other end of a socket, or behind the proxy there. */
  meterAt(socket: Socket, forwardedFor?: string): Meter {
    return new Meter(this.#meters, this.#addresses.clientOf(socket.remoteAddress ?? "", forwardedFor), isEnded(socket))
  }

  close(): void {
    this.scheduler.close()
  }

  #lookAtProxy(address: string): void {
    if (!this.#addresses.mayBeProxy(address)) return
    this.#hasMetUnknownProxy = true
    this.#onUnknownProxy(address)
  }
}

/** Returns a function that says whether a connection has ended. It refers to nothing else, so that a meter keeps no request in memory. */
const isEnded = (socket: Socket) => () => socket.destroyed
