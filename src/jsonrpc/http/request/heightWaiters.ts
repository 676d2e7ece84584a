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
}

/** Requests that wait until the chain has reached their `Serac-Min-Height`, each for up to two seconds. */
export class HeightWaiters {
  readonly #height: () => bigint
  readonly #waiting = new Map<HeightWaiter, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(height: () => bigint) {
    this.#height = height
  }

  get size(): number {
    return this.#waiting.size
  }

  /** The number of waiting requests of a client. */
  sizeOf(client: string): number {
    let size = 0
    for (const waiter of this.#waiting.keys()) if (waiter.client === client) size++
    return size
  }

  add(waiter: HeightWaiter): void {
    this.#waiting.set(waiter, performance.now() + MAX_HEIGHT_WAIT)
    this.#timer ??= setInterval(() => this.#poll(), POLL_MILLISECONDS)
  }

  /** Ends the waiting of all requests. Their connections are closed by the server. */
  close(): void {
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
