/** Budget of a client. One unit is one millisecond of the event loop. */
export interface Rate {
  /** Units that come back each second. */
  readonly unitsPerSecond: number
  /** Units that a client may save up. */
  readonly burst: number
}

/** The units that a client has left (negative: its debt), and when they were counted, in milliseconds. */
interface Bucket {
  units: number
  at: number
}

/** Number of clients that are remembered. */
const MAX_CLIENTS = 100_000

/** Into how many levels of units clients are sorted when some must be forgotten. */
const LEVELS = 256

/** Options of a rate limiter. */
export interface RateLimiterOptions {
  /** Number of clients that are remembered; 100,000 if left out. */
  readonly maxClients?: number
  /** Receives the units that were taken from a client. */
  readonly onTaken?: ((client: string, units: number) => void) | undefined
}

/** Counts the units of each client. A debt has no lower bound: whatever was used is paid for. */
export class RateLimiter {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #maxClients: number
  readonly #onTaken: ((client: string, units: number) => void) | undefined
  readonly #buckets = new Map<string, Bucket>()
  #charged = 0

  /** The clock counts milliseconds and never goes back. */
  constructor(rate: Rate, now: () => number, { maxClients = MAX_CLIENTS, onTaken }: RateLimiterOptions = {}) {
    this.#rate = rate
    this.#now = now
    this.#maxClients = maxClients
    this.#onTaken = onTaken
  }

  /** Units taken from all clients since the start. */
  get charged(): number {
    return this.#charged
  }

  get size(): number {
    return this.#buckets.size
  }

  /**
   * Takes units from a client, and returns nothing; or takes nothing, and returns after how many seconds they will be there. Where more
   * is asked than a client can save up, all that it can save up is taken. Zero units are refused to a client in debt.
   */
  take(client: string, units: number): number | undefined {
    const bucket = this.#bucketOf(client)
    const price = Math.min(units, this.#rate.burst)
    if (bucket.units < price) return Math.max(1, Math.ceil((price - bucket.units) / this.#rate.unitsPerSecond))
    bucket.units -= price
    this.#charged += price
    if (price > 0) this.#onTaken?.(client, price)
    return undefined
  }

  /** Takes units from a client whether it has them or not. */
  charge(client: string, units: number): void {
    this.#bucketOf(client).units -= units
    this.#charged += units
    this.#onTaken?.(client, units)
  }

  /** Takes units that a client used of another process, which counts them. */
  chargeElsewhere(client: string, units: number): void {
    this.#bucketOf(client).units -= units
  }

  /** The units that a client has left, or minus its debt. */
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
   * Forgets a tenth of the clients, or more: those that have the most units, who lose the least by it. The largest debts stay. Two passes
   * over all of them for many newcomers: a pass for each newcomer would be an attack of its own.
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

  /** From 0, in debt by 15 bursts or more, to the highest level: everything saved up. */
  #levelOf(bucket: Bucket, now: number): number {
    const inBursts = this.#unitsAt(bucket, now) / this.#rate.burst
    return Math.max(0, Math.min(LEVELS - 1, Math.floor((inBursts + 15) * ((LEVELS - 1) / 16))))
  }
}
