import { max } from "../../core/lib/math64.js"
import { nextStakerChangeTime } from "../../core/rules/chainTime.js"
import type { ChainStatus } from "../chain/chainStatus.js"
import type { ReadableClock } from "../clock/clock.js"
import { producerError } from "../errors.js"
import type { Timers, WallClock } from "../ports.js"
import type { Halt } from "./halt.js"

/** The block mode: transactions are put into a block at once, at an interval in seconds, or only when `dev.mine` is called. */
export type BlockMode =
  | { readonly mode: "auto" }
  | { readonly mode: "interval"; readonly seconds: number }
  | { readonly mode: "manual" }

const DAY = 86_400

/** Checks the interval of a block mode. Throws `producer.bad_interval`. */
export function checkBlockMode(mode: BlockMode): void {
  if (mode.mode !== "interval" || (mode.seconds > 0 && mode.seconds <= DAY)) return
  throw producerError("producer.bad_interval", { seconds: mode.seconds })
}

/** The longest timer, in seconds. Timers are short because the machine's clock may be set meanwhile. */
const LONGEST_SLEEP = 3600n

/** The interval at which waiting transactions are verified again, in milliseconds: 30 minutes. */
const REVERIFY_EVERY = 1_800_000

/** The callbacks of a schedule. */
export interface ScheduleCallbacks {
  /** Makes the blocks of staker changes that are due. */
  catchUp(): void
  /** Makes blocks of the waiting transactions. */
  pack(): void
  /** Drops waiting transactions that are no longer valid. */
  reverify(): void
}

/** The options of a schedule. */
export interface ScheduleOptions {
  readonly timers: Timers
  readonly wall: WallClock
  readonly clock: ReadableClock
  readonly halt: Halt
  readonly callbacks: ScheduleCallbacks
}

/** Sets the timers for the next blocks. */
export class Schedule {
  readonly #chain: ChainStatus
  readonly #clock: ReadableClock
  readonly #timers: Timers
  readonly #wall: WallClock
  readonly #halt: Halt
  readonly #callbacks: ScheduleCallbacks
  #mode: BlockMode
  /** The start of the first interval, in milliseconds of the machine's clock. */
  #since: number
  #cancels: (() => void)[] = []
  #isPackingSoon = false
  #isStopped = false

  constructor(chain: ChainStatus, mode: BlockMode, { timers, wall, clock, halt, callbacks }: ScheduleOptions) {
    this.#chain = chain
    this.#clock = clock
    this.#mode = mode
    this.#timers = timers
    this.#wall = wall
    this.#halt = halt
    this.#callbacks = callbacks
    this.#since = wall()
  }

  get mode(): BlockMode {
    return this.#mode
  }

  set mode(mode: BlockMode) {
    this.#mode = mode
    this.#since = this.#wall()
  }

  /** Calls `pack` soon, so that transactions that arrive together share a block. */
  packSoon(): void {
    if (this.#isPackingSoon || this.#isStopped) return
    this.#isPackingSoon = true
    const pack = () => {
      this.#isPackingSoon = false
      if (!this.#isStopped) this.#callbacks.pack()
    }
    // The second time, because the server may have put off a call that came with the first one to the next turn of the event loop.
    this.#timers.soon(() => this.#timers.soon(pack))
  }

  /**
   * Sets all timers again. `gasReadyInSeconds` is the number of seconds until there may be gas for the waiting transactions, if they wait
   * for gas. A chain that cannot make its next block has one timer, for the next try.
   */
  reschedule(gasReadyInSeconds?: bigint): void {
    this.cancel()
    if (this.#isStopped) return
    const pack = () => this.#callbacks.pack()
    if (this.#halt.reason !== undefined) {
      this.#after(this.#halt.remaining, this.#mode.mode === "auto" ? pack : () => this.#callbacks.catchUp())
      return
    }
    const { view, rules, pool } = this.#chain
    const clock = this.#clock
    const now = clock.now()
    const change = nextStakerChangeTime(view, rules, now + LONGEST_SLEEP)
    this.#after(clock.millisecondsUntil(change), () => this.#callbacks.catchUp())
    if (pool.size === 0) return
    if (this.#mode.mode === "auto") this.#after(clock.millisecondsUntil(now + max(gasReadyInSeconds ?? 1n, 1n)), pack)
    if (this.#mode.mode === "interval") this.#after(this.#untilTick(this.#mode.seconds * 1000), pack)
    this.#after(this.#untilTick(REVERIFY_EVERY), () => this.#callbacks.reverify())
  }

  stop(): void {
    this.#isStopped = true
    this.cancel()
  }

  #after(milliseconds: number | undefined, callback: () => void): void {
    if (milliseconds !== undefined) this.#cancels.push(this.#timers.after(milliseconds, callback))
  }

  /** Cancels all timers. */
  cancel(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels = []
  }

  #untilTick(interval: number): number {
    return interval - ((this.#wall() - this.#since) % interval)
  }
}
