import { MAX_HEIGHT_WAIT } from "./minHeight.js"

/** Interval in which the height is checked while requests wait, milliseconds. */
const POLL_MILLISECONDS = 10

/** A request that waits for a height. */
export interface HeightWaiter {
  readonly client: string
  readonly minHeight: bigint
  /** Returns true if the client has disconnected. */
  isGone(): boolean
  /** Called once with the height of the server, when the height is reached or the time is over. */
  done(height: bigint): void
  /** Called once if the height of the server cannot be read. */
  failed(error: unknown): void
  /** Called once if the server closes. Without it the connection is one that the server closes itself. */
  closed?(): void
}

/** The most requests that may wait at a time. */
export interface WaitingLimits {
  readonly total: number
  readonly each: number
}

/** Requests that wait until the chain has reached their `Serac-Min-Height`, each for up to two seconds. */
export class HeightWaiters {
  readonly #height: () => bigint
  readonly #limits: WaitingLimits
  readonly #waiting = new Map<HeightWaiter, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(height: () => bigint, limits: WaitingLimits) {
    this.#height = height
    this.#limits = limits
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Lets a request wait. Returns false if too many wait already. */
  add(waiter: HeightWaiter): boolean {
    let own = 0
    for (const { client } of this.#waiting.keys()) if (client === waiter.client) own++
    if (this.#waiting.size >= this.#limits.total || own >= this.#limits.each) return false
    this.#waiting.set(waiter, performance.now() + MAX_HEIGHT_WAIT)
    this.#timer ??= setInterval(() => this.#poll(), POLL_MILLISECONDS)
    return true
  }

  /** Ends the waiting of all requests when the server closes. */
  close(): void {
    for (const waiter of this.#waiting.keys()) waiter.closed?.()
    this.#waiting.clear()
    this.#stopTimer()
  }

  #poll(): void {
    for (const waiter of this.#waiting.keys()) if (waiter.isGone()) this.#waiting.delete(waiter)
    try {
      if (this.#waiting.size > 0) this.#answer(this.#height())
    } catch (error) {
      for (const waiter of this.#waiting.keys()) {
        this.#waiting.delete(waiter)
        waiter.failed(error)
      }
    }
    if (this.#waiting.size === 0) this.#stopTimer()
  }

  #answer(height: bigint): void {
    const now = performance.now()
    for (const [waiter, until] of this.#waiting) {
      if (height < waiter.minHeight && now < until) continue
      this.#waiting.delete(waiter)
      waiter.done(height)
    }
  }

  #stopTimer(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
