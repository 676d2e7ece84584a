import type { ClientBudget } from "./clientBudget.js"
import type { LoopScheduler } from "./loopScheduler.js"
import type { RateLimiter } from "./rateLimiter.js"
import { Abandoned, RequestPace } from "./requestPace.js"

/** Milliseconds that are charged for each byte of a body or an answer: two for each MiB. */
const BYTE_MILLISECONDS = 2 / (1 << 20)

/** The limits of a client that apply to a call. */
export interface Admission {
  /**
   * Takes units before the work is done, or returns after how many seconds the client may try again. Units that were charged for the
   * request before count.
   */
  admit(units: number): number | undefined
  /** Reserves memory for an answer until it has been sent. Returns false if the client or the server has none left. */
  reserve(bytes: number): boolean
  /** Returns the pace of a handler's work. Work that is shared goes on after the client has disconnected. */
  paceOf(isShared: boolean): RequestPace
}

/** Options that the meters of all requests share. */
export interface MeterOptions {
  /** `undefined` if clients are not limited. */
  readonly limiter: RateLimiter | undefined
  readonly scheduler: LoopScheduler
  /** Bytes of answers that clients have not read yet. */
  readonly answers: ClientBudget
  /** More than 1, because other threads collect the garbage of the same work. */
  readonly unitsPerMillisecond: number
  /** Returns milliseconds of a monotonic clock. */
  now(): number
  /** Returns the milliseconds of processor time that this process has used. */
  processorTime(): number
}

/** Callbacks for the end of a piece of work. */
export interface WorkCallbacks<T> {
  done(result: T): void
  failed(error: unknown): void
  /** Returns true if the client has disconnected. */
  isGone(): boolean
  /** Called if the work was abandoned, because the client has disconnected or the server has closed. */
  gone(): void
}

/** Measures how long one request holds the event loop, and charges the time to its client. */
export class Meter implements Admission {
  readonly client: string
  readonly #options: MeterOptions
  #isRunning = false
  /** Units that the client was charged for this request, and units of its price that no work has used yet. */
  #charged = 0
  #prepaid = 0
  #held = 0
  readonly #isGone: () => boolean

  /** `isGone` returns true if the client has disconnected; by default it never does. */
  constructor(options: MeterOptions, client: string, isGone = () => false) {
    this.#options = options
    this.client = client
    this.#isGone = isGone
  }

  /** Seconds until the client's debt is paid; `undefined` if it has none. */
  get debtSeconds(): number | undefined {
    return this.#options.limiter?.take(this.client, 0)
  }

  /** The client's remaining units; negative if it is in debt. */
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
    const unpaid = units - this.#prepaid
    this.#prepaid = Math.max(0, -unpaid)
    if (unpaid <= 0) return
    this.#charged += unpaid
    limiter.charge(this.client, unpaid)
  }

  /** Charges milliseconds, and counts them towards the current turn of the event loop. */
  spend(milliseconds: number): void {
    this.#options.scheduler.spend(milliseconds)
    this.charge(milliseconds)
  }

  /** Charges the bytes of a body or an answer. */
  chargeBytes(size: number): void {
    this.charge(size * BYTE_MILLISECONDS)
  }

  /** Runs a short task and charges the time. */
  run<T>(task: () => T): T {
    return this.#options.limiter ? this.#timed(task) : task()
  }

  #timed<T>(task: () => T): T {
    if (this.#isRunning) return task()
    this.#isRunning = true
    const { now, processorTime, limiter } = this.#options
    const started = now()
    const used = limiter ? processorTime() : 0
    try {
      return task()
    } finally {
      this.#isRunning = false
      this.#spendSince(started, used)
    }
  }

  /** Charges the time since a moment, at which the process had used this much processor time. */
  #spendSince(started: number, used: number): void {
    const { now, processorTime, limiter } = this.#options
    const elapsed = now() - started
    // On a busy machine the time that other programs take is not the client's.
    this.spend(limiter ? Math.min(elapsed, processorTime() - used) : elapsed)
  }

  /** Begins a task in the client's turn. It returns a promise if it takes more than one turn. */
  drive<T>(begin: () => T | Promise<T>, ended: WorkCallbacks<T>): void {
    const run = () => void this.#timed(() => this.#begin(begin, ended))
    this.#options.scheduler.begin(this.client, run, () => ended.gone())
  }

  #begin<T>(begin: () => T | Promise<T>, ended: WorkCallbacks<T>): void {
    try {
      if (ended.isGone()) {
        ended.gone()
        return
      }
      const made = begin()
      if (made instanceof Promise) this.#whenSettled(made, ended)
      else ended.done(made)
    } catch (error) {
      ended.failed(error)
    }
  }

  /** Ends a task whose promise settles. Many may wait for one promise, so each waits for its turn if the current one is used up. */
  #whenSettled<T>(promise: Promise<T>, ended: WorkCallbacks<T>): void {
    const { scheduler } = this.#options
    const end = (result: () => T) => {
      const run = () => void this.#timed(() => this.#begin(result, ended))
      if (scheduler.isFree) run()
      else scheduler.resume(this.client, { run, cancel: () => ended.gone() })
    }
    const failed = (error: unknown) => {
      throw error
    }
    promise.then(
      (value) => end(() => value),
      (error) => (error instanceof Abandoned ? ended.gone() : end(() => failed(error))),
    )
  }

  paceOf(isShared: boolean): RequestPace {
    const { scheduler, now, processorTime, limiter } = this.#options
    return new RequestPace(this.client, {
      scheduler,
      now,
      measure: () => {
        const [started, used] = [now(), limiter ? processorTime() : 0]
        return () => this.#spendSince(started, used)
      },
      spend: (milliseconds) => this.spend(milliseconds),
      isGone: () => !isShared && this.#isGone(),
    })
  }

  reserve(bytes: number): boolean {
    if (!this.#options.answers.take(this.client, bytes)) return false
    this.#held += bytes
    return true
  }

  /** Reserves memory for a whole answer. Parts of it may have been reserved before. */
  reserveAll(bytes: number): boolean {
    return bytes <= this.#held || this.reserve(bytes - this.#held)
  }

  /** Releases the memory that was reserved for the answer. */
  release(): void {
    this.#options.answers.give(this.client, this.#held)
    this.#held = 0
  }
}
