import { MAX_HEIGHT_WAIT } from "./minHeight.js"

/** Interval in which the height is checked while requests wait, milliseconds. */
const LOOK_EVERY = 10

/** A request that waits for a height. */
export interface HeightWaiter {
  readonly client: string
  readonly minHeight: bigint
  /** Returns true if the client has disconnected. */
  isGone(): boolean
  /** Called once with the height of the server, when the height is reached or the time is over. */
  done(height: bigint): void
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
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY)
  }

  #look(): void {
    const height = this.#height()
    const now = performance.now()
    for (const [waiter, until] of this.#waiting) {
      const isGone = waiter.isGone()
      if (!isGone && height < waiter.minHeight && now < until) continue
      this.#waiting.delete(waiter)
      if (!isGone) waiter.done(height)
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
