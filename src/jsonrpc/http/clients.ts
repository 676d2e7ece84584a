import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { Caller } from "../call/dispatch.js"
import { Addresses } from "./addresses.js"
import { RateLimiter } from "./limits.js"
import type { ClientLimits, HttpOptions } from "./options.js"

/** The clients of a server, and what each may use of it. Nobody in particular where nobody is limited. */
export class Clients {
  readonly #addresses: Addresses
  readonly #limits: ClientLimits | undefined
  readonly #limiter: RateLimiter | undefined
  readonly #connections = new Map<string, number>()

  constructor({ limits, trustedProxies }: Pick<HttpOptions, "limits" | "trustedProxies">) {
    this.#addresses = new Addresses(trustedProxies)
    this.#limits = limits
    this.#limiter = limits && new RateLimiter(limits, () => performance.now())
  }

  /** Counts a connection, and ends it where its client has too many. Proxies bring many clients, and may have as many as they like. */
  connected(socket: Socket): void {
    const address = socket.remoteAddress ?? ""
    if (!this.#limits || this.#addresses.isTrusted(address)) return
    const client = this.#addresses.clientOf(address)
    const count = this.#connections.get(client) ?? 0
    if (count >= this.#limits.connections) {
      socket.destroy()
      return
    }
    this.#connections.set(client, count + 1)
    socket.once("close", () => this.#disconnected(client))
  }

  callerOf({ headers, socket }: IncomingMessage): Caller | undefined {
    if (!this.#limiter) return undefined
    const forwarded = headers["x-forwarded-for"]
    const hops = Array.isArray(forwarded) ? forwarded.join(",") : forwarded
    return this.#limiter.callerOf(this.#addresses.clientOf(socket.remoteAddress ?? "", hops))
  }

  #disconnected(client: string): void {
    const left = (this.#connections.get(client) ?? 1) - 1
    if (left > 0) this.#connections.set(client, left)
    else this.#connections.delete(client)
  }
}
