/** Budget of a client. One unit is one millisecond of the event loop. */
export interface Rate {
  /** Units that a client regains each second. */
  readonly unitsPerSecond: number
  /** The maximum number of units that a client may accumulate. */
  readonly burst: number
}

/** The units that a client has left (negative if it is in debt), and the time at which they were counted, in milliseconds. */
interface Bucket {
  units: number
  at: number
}

/** Number of clients that are remembered. */
const MAX_CLIENTS = 100_000

/** The number of levels of units by which clients are sorted when some must be forgotten. */
const LEVELS = 256

/** Options of a rate limiter. */
export interface RateLimiterOptions {
  /** Number of clients that are remembered; 100,000 by default. */
  readonly maxClients?: number
}

/** Counts the units of each client. A debt has no lower bound, so that all use is paid for. */
export class RateLimiter {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #maxClients: number
  readonly #buckets = new Map<string, Bucket>()
  #charged = 0

  /** The clock is monotonic and counts milliseconds. */
  constructor(rate: Rate, now: () => number, { maxClients = MAX_CLIENTS }: RateLimiterOptions = {}) {
    this.#rate = rate
    this.#now = now
    this.#maxClients = maxClients
  }

  /** Units taken from all clients since the start. */
  get charged(): number {
    return this.#charged
  }

  get size(): number {
    return this.#buckets.size
  }

  /**
   * Takes units from a client and returns `undefined`; or takes nothing, and returns the number of seconds after which they will be
   * available. If more units are requested than a client can accumulate, all that it can accumulate are taken. Zero units are refused to a
   * client in debt.
   */
  take(client: string, units: number): number | undefined {
    const bucket = this.#bucketOf(client)
    const price = Math.min(units, this.#rate.burst)
    if (bucket.units < price) return Math.max(1, Math.ceil((price - bucket.units) / this.#rate.unitsPerSecond))
    bucket.units -= price
    this.#charged += price
    return undefined
  }

  /** Takes units from a client even if it does not have them. */
  charge(client: string, units: number): void {
    this.#bucketOf(client).units -= units
    this.#charged += units
  }

  /** Returns the units that a client has left; negative if it is in debt. */
  unitsOf(client: string): number {
    return this.#bucketOf(client).units
  }

  #bucketOf(client: string): Bucket {
    const now = this.#now()
    let bucket = this.#buckets.get(client)
    if (!bucket) {
      if (this.#buckets.size >= this.#maxClients) this.#forget(now)
      bucket = { units: this.#rate.burst, at: now }
      this.#buckets.set(client, bucket)
      return bucket
    }
    bucket.units = this.#unitsAt(bucket, now)
    bucket.at = now
    return bucket
  }

  #unitsAt({ units, at }: Bucket, now: number): number {
    const { unitsPerSecond, burst } = this.#rate
    return Math.min(burst, units + ((now - at) / 1000) * unitsPerSecond)
  }

  /**
   * Forgets at least a tenth of the clients: those with the most units, which lose the least by it. The largest debts stay. It passes twice
   * over all clients for many new ones; a pass for each new client could be exploited to load the server.
   */
  #forget(now: number): void {
    const counts = new Uint32Array(LEVELS)
    for (const bucket of this.#buckets.values()) counts[this.#levelOf(bucket, now)]!++
    let level = LEVELS
    for (let left = Math.ceil(this.#maxClients / 10); left > 0 && level > 0; ) left -= counts[--level] as number
    let left = Math.ceil(this.#maxClients / 10)
    for (const [client, bucket] of this.#buckets) {
      const own = this.#levelOf(bucket, now)
      if (own < level || (own === level && level < LEVELS - 1 && left <= 0)) continue
      left--
      this.#buckets.delete(client)
    }
  }

  /** Returns the level of a bucket, from 0 (in debt by 15 bursts or more) to the highest level (a full burst). */
  #levelOf(bucket: Bucket, now: number): number {
    const inBursts = this.#unitsAt(bucket, now) / this.#rate.burst
    return Math.max(0, Math.min(LEVELS - 1, Math.floor((inBursts + 15) * ((LEVELS - 1) / 16))))
  }
}
