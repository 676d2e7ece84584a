import { Turnstile } from "../../core/lib/turnstile.js"
import type { Caller } from "../call/dispatch.js"
import { rpcError } from "../errors.js"
import type { ClientLimits } from "./options.js"

/** What one client has left: units, and when that was counted (milliseconds). */
interface Bucket {
  units: number
  at: number
}

/** How many clients are remembered; those who have everything back are forgotten first. */
const MAX_CLIENTS = 100_000

/** Holds the clients of a public server to what each may use. */
export class RateLimiter {
  readonly #limits: ClientLimits
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  readonly #heavy: Turnstile

  /** The clock counts milliseconds and never goes back. */
  constructor(limits: ClientLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
    // Blocks and small calls get their turn between two pieces of heavy work.
    this.#heavy = new Turnstile(limits.heavy, limits.heavyWaiting, (next) => void setImmediate(next))
  }

  callerOf(client: string): Caller {
    return {
      admit: (cost) => this.#take(client, cost),
      charge: (milliseconds) => this.#charge(client, milliseconds),
      heavy: (work) => this.#runHeavy(work),
    }
  }

  async #runHeavy<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#heavy.isFull) throw rpcError("rpc.busy")
    return this.#heavy.run(work)
  }

  /** Takes what a call costs, or says after how many seconds it will be there. A call may cost more than is ever saved up: then all of that. */
  #take(client: string, cost: number): number | undefined {
    const { unitsPerSecond, burst } = this.#limits
    const bucket = this.#bucketOf(client)
    const price = Math.min(cost, burst)
    if (bucket.units < price) return Math.max(1, Math.ceil((price - bucket.units) / unitsPerSecond))
    bucket.units -= price
    return undefined
  }

  /** Whoever took more than they had waits until it has come back, as far as it is ever saved up. */
  #charge(client: string, milliseconds: number): void {
    const { burst, paidMilliseconds } = this.#limits
    if (milliseconds <= paidMilliseconds) return
    const bucket = this.#bucketOf(client)
    bucket.units = Math.max(-burst, bucket.units - (milliseconds - paidMilliseconds))
  }

  #bucketOf(client: string): Bucket {
    const { unitsPerSecond, burst } = this.#limits
    const now = this.#now()
    let bucket = this.#buckets.get(client)
    if (!bucket) {
      if (this.#buckets.size >= MAX_CLIENTS) this.#forget(now)
      bucket = { units: burst, at: now }
      this.#buckets.set(client, bucket)
    }
    bucket.units = Math.min(burst, bucket.units + ((now - bucket.at) / 1000) * unitsPerSecond)
    bucket.at = now
    return bucket
  }

  #forget(now: number): void {
    const { unitsPerSecond, burst } = this.#limits
    for (const [client, { units, at }] of this.#buckets) {
      if (units + ((now - at) / 1000) * unitsPerSecond >= burst) this.#buckets.delete(client)
    }
    // Some at a time: looking through all of them for each newcomer would be an attack of its own.
    for (const client of this.#buckets.keys()) {
      if (this.#buckets.size <= MAX_CLIENTS * 0.9) return
      this.#buckets.delete(client)
    }
  }
}
