import { max } from "../../core/lib/math64.js"
import { nextStakerChangeTime } from "../../core/rules/chainTime.js"
import type { ChainHead } from "../chain/chainHead.js"
import { producerError } from "../errors.js"
import type { Timers, WallClock } from "../ports.js"

/** When transactions get their block: at once, every so many seconds, or when somebody says so. */
export type BlockMode =
  | { readonly mode: "auto" }
  | { readonly mode: "interval"; readonly seconds: number }
  | { readonly mode: "manual" }

const DAY = 86_400

/** Throws `producer.bad_interval`. */
export function checkBlockMode(mode: BlockMode): void {
  if (mode.mode !== "interval" || (mode.seconds > 0 && mode.seconds <= DAY)) return
  throw producerError("producer.bad_interval", { seconds: mode.seconds })
}

/** The longest that is slept at a time, in seconds: the machine's clock may be set meanwhile. */
const LONGEST_SLEEP = 3600n

/** How often what waits is looked through for what is no longer valid, in milliseconds: 30 minutes. */
const REPACK_EVERY = 1_800_000

/** What the schedule calls when it is time. */
export interface ScheduleCallbacks {
  /** Stakers change. */
  settle(): void
  /** What waits gets its block. */
  pack(): void
  /** Looks through what waits. */
  repack(): void
}

/** Knows when to make the next block, and sets the timers for it. */
export class Schedule {
  readonly #head: ChainHead
  readonly #timers: Timers
  readonly #wall: WallClock
  readonly #callbacks: ScheduleCallbacks
  #mode: BlockMode
  /** When the first interval began, in milliseconds of the machine. */
  #since: number
  #cancel: (() => void)[] = []
  #isCalled = false
  #isStopped = false

  constructor(
    head: ChainHead,
    mode: BlockMode,
    { timers, wall, callbacks }: { timers: Timers; wall: WallClock; callbacks: ScheduleCallbacks },
  ) {
    this.#head = head
    this.#mode = mode
    this.#timers = timers
    this.#wall = wall
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

  /** A transaction came that gets its block at once. Those that come in the same breath share it. */
  call(): void {
    if (this.#isCalled || this.#isStopped) return
    this.#isCalled = true
    this.#timers.soon(() => {
      this.#isCalled = false
      if (!this.#isStopped) this.#callbacks.pack()
    })
  }

  /** Sets the timers anew. `gasReadyInSeconds`: seconds until there may be gas for what waits, where it waits for that. */
  arm(gasReadyInSeconds?: bigint): void {
    this.disarm()
    if (this.#isStopped) return
    const { clock, view, rules, pool } = this.#head
    const now = clock.now()
    const change = nextStakerChangeTime(view, rules, now + LONGEST_SLEEP)
    this.#after(clock.millisecondsUntil(change), () => this.#callbacks.settle())
    if (pool.size === 0) return
    const pack = () => this.#callbacks.pack()
    if (this.#mode.mode === "auto") this.#after(clock.millisecondsUntil(now + max(gasReadyInSeconds ?? 1n, 1n)), pack)
    if (this.#mode.mode === "interval") this.#after(this.#untilTick(this.#mode.seconds * 1000), pack)
    this.#after(this.#untilTick(REPACK_EVERY), () => this.#callbacks.repack())
  }

  stop(): void {
    this.#isStopped = true
    this.disarm()
  }

  #after(milliseconds: number | undefined, callback: () => void): void {
    if (milliseconds !== undefined) this.#cancel.push(this.#timers.after(milliseconds, callback))
  }

  /** Sets no timers until it is armed again. */
  disarm(): void {
    for (const cancel of this.#cancel) cancel()
    this.#cancel = []
  }

  #untilTick(interval: number): number {
    return interval - ((this.#wall() - this.#since) % interval)
  }
}
