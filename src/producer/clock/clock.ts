import { Emitter } from "../../core/lib/emitter.js"
import { type Log, silentLog } from "../../core/lib/log.js"
import { max } from "../../core/lib/math64.js"
import { END_OF_TIME, wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { producerError } from "../errors.js"
import type { WallClock } from "../ports.js"

/** Checks that a time is not after the year 9999. Throws `producer.time_too_far`. */
export function checkTime(to: bigint): void {
  if (to > END_OF_TIME) throw producerError("producer.time_too_far", { to, latest: END_OF_TIME })
}

/** The setting of a clock: its seconds ahead of the machine's clock, or the time at which it is frozen. */
export interface ClockState {
  readonly offset: bigint
  /** The frozen time in Unix seconds, if the clock is frozen. */
  readonly frozenAt: bigint | undefined
}

/** Seconds by which the machine's clock must have decreased before a line is logged. */
const NOTICEABLE = 2n

/** The readable side of a clock. */
export type ReadableClock = Pick<
  Clock,
  "now" | "milliseconds" | "millisecondsUntil" | "offset" | "isFrozen" | "state" | "settings"
>

/**
 * The private chain's clock: the machine's time plus an offset, or a frozen time, in whole Unix seconds. It decreases only when it is set. If the machine's clock decreases, it stays at its latest time until the machine has caught up. It ends with the year 9999.
 */
export class Clock {
  readonly #wall: WallClock
  readonly #log: Log
  #offset: bigint
  #frozenAt: bigint | undefined
  /** The latest time that the clock has shown since it was set. */
  #latest = 0n
  #isWaiting = false
  #isSaved = false
  /** Emits each new setting. */
  readonly settings = new Emitter<ClockState>()

  constructor(wall: WallClock, { offset, frozenAt }: ClockState = { offset: 0n, frozenAt: undefined }, log: Log = silentLog) {
    this.#wall = wall
    this.#log = log
    this.#offset = offset
    this.#frozenAt = frozenAt
  }

  now(): bigint {
    if (this.#frozenAt !== undefined) return this.#frozenAt
    const running = this.wallTime + this.#offset
    this.#noteWaiting(this.#latest - running)
    this.#latest = max(this.#latest, running < END_OF_TIME ? running : END_OF_TIME)
    return this.#latest
  }

  /** Returns the time in milliseconds, to order events within a second. */
  milliseconds(): number {
    const now = Number(this.now()) * 1000
    if (this.#frozenAt !== undefined) return now
    const running = this.#wall() + Number(this.#offset) * 1000
    return running >= now && running < now + 1000 ? running : now
  }

  /** Logs once that the clock waits, and once that it continues. `behind` is the number of seconds that the machine has to catch up. */
  #noteWaiting(behind: bigint): void {
    if (!this.#isWaiting && behind >= NOTICEABLE) {
      this.#isWaiting = true
      const data = { seconds: behind.toString(), at: this.#latest.toString() }
      this.#log.warn("the machine's clock was set back: the chain's clock waits until it has caught up", data)
    } else if (this.#isWaiting && behind <= 0n) {
      this.#isWaiting = false
      this.#log.info("the machine's clock has caught up: the chain's clock continues")
    }
  }

  /** The machine's time, Unix seconds. */
  get wallTime(): bigint {
    return wholeSeconds(this.#wall())
  }

  /** Seconds ahead of the machine's clock. */
  get offset(): bigint {
    return this.#frozenAt === undefined ? this.#offset : this.#frozenAt - this.wallTime
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined
  }

  get state(): ClockState {
    return { offset: this.offset, frozenAt: this.#frozenAt }
  }

  /** True if the store has the clock as it was set last. `ChainTurn.run` saves it. */
  get isSaved(): boolean {
    return this.#isSaved
  }

  markSaved(): void {
    this.#isSaved = true
  }

  /** Sets the clock to a time, from which it runs on or at which it is frozen. */
  set(time: bigint, isFrozen: boolean): void {
    this.#isSaved = false
    this.#offset = time - this.wallTime
    this.#frozenAt = isFrozen ? time : undefined
    this.#latest = time
    this.#isWaiting = false
    this.settings.emit(this.state)
  }

  /** Undoes the settings since this state was read. The clock has run on since then, and may be before a time that it showed meanwhile. */
  restore({ offset, frozenAt }: ClockState): void {
    this.#isSaved = false
    this.#offset = offset
    this.#frozenAt = frozenAt
    this.#latest = 0n
    this.settings.emit(this.state)
  }

  /** Returns the machine's milliseconds until the clock shows this time; `undefined` while the clock is frozen. */
  millisecondsUntil(time: bigint): number | undefined {
    if (time <= this.now()) return 0
    if (this.#frozenAt !== undefined) return undefined
    return Number(time - this.#offset) * 1000 - this.#wall()
  }
}
