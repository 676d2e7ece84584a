import { isWork, type MaybeWork, type Work } from "../../core/lib/work.js"
import type { ByteBudget } from "./byteBudget.js"
import type { LoopScheduler } from "./loopScheduler.js"
import type { RateLimiter } from "./rateLimiter.js"

/** Limits of a client that a call uses. */
export interface Admission {
  /** Takes units before work is done for them, or says after how many seconds to ask again. What has been charged for the request counts. */
  admit(units: number): number | undefined
  /** Takes room for bytes of an answer until it has been sent; false where the client or the server has none left. */
  hold(bytes: number): boolean
}

/** Options that the meters of all requests share. */
export interface MeterOptions {
  /** Left out where clients may use as much as they like. */
  readonly limiter: RateLimiter | undefined
  readonly scheduler: LoopScheduler
  /** Bytes of answers that clients have yet to read. */
  readonly answers: ByteBudget
  /** More than 1: garbage of the same work is collected by other threads. */
  readonly unitsPerMillisecond: number
  /** Milliseconds, and never goes back. */
  now(): number
}

/** Callbacks for the end of a piece of work. */
export interface Ended<T> {
  done(result: T): void
  failed(error: unknown): void
  /** True where nobody waits for the work any more. */
  isGone(): boolean
  /** The work was given up, since nobody waits for it. */
  gone(): void
}

/** Measures what one request holds the event loop for, and charges it to its client. */
export class Meter implements Admission {
  readonly client: string
  readonly #options: MeterOptions
  #isRunning = false
  /** Units that the client was charged for this request, and units of its price that no work has used yet. */
  #charged = 0
  #prepaid = 0
  #held = 0

  constructor(options: MeterOptions, client: string) {
    this.#options = options
    this.client = client
  }

  /** Seconds until the client's debt is paid; nothing where it has none. */
  get debtSeconds(): number | undefined {
    return this.#options.limiter?.take(this.client, 0)
  }

  /** The client's units, or minus its debt. */
  get units(): number {
    return this.#options.limiter?.unitsOf(this.client) ?? Number.POSITIVE_INFINITY
  }

  admit(units: number): number | undefined {
    const price = Math.max(0, units - this.#charged)
    const seconds = this.#options.limiter?.take(this.client, price)
    if (seconds !== undefined) return seconds
    this.#charged += price
    this.#prepaid += price
    return undefined
  }

  /** Charges milliseconds that cannot be measured here, such as those in which Node parses headers. */
  charge(milliseconds: number): void {
    const { limiter, unitsPerMillisecond } = this.#options
    const units = milliseconds * unitsPerMillisecond
    if (!limiter || units <= 0) return
    const rest = units - this.#prepaid
    this.#prepaid = Math.max(0, -rest)
    if (rest <= 0) return
    this.#charged += rest
    limiter.charge(this.client, rest)
  }

  /** Charges milliseconds, and takes them from the current turn of the event loop. */
  spend(milliseconds: number): void {
    this.#options.scheduler.spend(milliseconds)
    this.charge(milliseconds)
  }

  /** True where the current turn of the event loop is used up: what comes in should wait for the next one. */
  get isTurnOver(): boolean {
    return this.#options.scheduler.isOver(0)
  }

  /** Runs something short and charges the time. */
  run<T>(task: () => T): T {
    return this.#options.limiter ? this.#timed(task) : task()
  }

  #timed<T>(task: () => T): T {
    if (this.#isRunning) return task()
    this.#isRunning = true
    const started = this.#options.now()
    try {
      return task()
    } finally {
      this.#isRunning = false
      this.spend(this.#options.now() - started)
    }
  }

  /** Begins something when the client's turn has come. Where it becomes work in steps, others have their turns between them. */
  drive<T>(begin: () => MaybeWork<T>, ended: Ended<T>): void {
    const { scheduler } = this.#options
    if (scheduler.isFree) this.#timed(() => this.#begin(begin, ended))
    else scheduler.begin(this.client, () => this.#timed(() => this.#begin(begin, ended)))
  }

  #begin<T>(begin: () => MaybeWork<T>, ended: Ended<T>): void {
    try {
      if (ended.isGone()) {
        ended.gone()
        return
      }
      const made = begin()
      if (isWork(made)) this.#advance(made, ended, () => made.next())
      else ended.done(made)
    } catch (error) {
      ended.failed(error)
    }
  }

  hold(bytes: number): boolean {
    if (!this.#options.answers.take(this.client, bytes)) return false
    this.#held += bytes
    return true
  }

  /** Takes room for an answer of so many bytes, parts of which may have theirs already. */
  holdAll(bytes: number): boolean {
    return bytes <= this.#held || this.hold(bytes - this.#held)
  }

  /** Releases the memory that the answer took. */
  release(): void {
    this.#options.answers.give(this.client, this.#held)
    this.#held = 0
  }

  #step<T>(work: Work<T>, ended: Ended<T>, go: () => IteratorResult<unknown, T>): void {
    this.#timed(() => {
      try {
        if (!ended.isGone()) this.#advance(work, ended, go)
        else {
          work.return(undefined as T)
          ended.gone()
        }
      } catch (error) {
        ended.failed(error)
      }
    })
  }

  #advance<T>(work: Work<T>, ended: Ended<T>, go: () => IteratorResult<unknown, T>): void {
    const { scheduler, now } = this.#options
    const started = now()
    for (let step = go(); ; step = work.next()) {
      if (step.done) {
        ended.done(step.value)
        return
      }
      if (step.value instanceof Promise) {
        step.value.then(
          (value) => this.#step(work, ended, () => work.next(value)),
          (error) => this.#step(work, ended, () => work.throw(error)),
        )
        return
      }
      if (typeof step.value === "number") this.spend(step.value)
      if (scheduler.isOver(now() - started)) {
        scheduler.resume(this.client, () => this.#step(work, ended, () => work.next()))
        return
      }
    }
  }
}
