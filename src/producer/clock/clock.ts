import { producerError } from "../errors.js"
import type { Wall } from "../ports.js"

/** The last second of the year 9999, which is the last that an RFC 3339 time can say; Unix seconds. */
export const END_OF_TIME = 253_402_300_799n

/** Throws `producer.time_too_far`. */
export function checkTime(to: bigint): void {
  if (to > END_OF_TIME) throw producerError("producer.time_too_far", { to, latest: END_OF_TIME })
}

/** Where a clock stands: so many seconds ahead of the machine's, or still. */
export interface ClockState {
  readonly offset: bigint
  /** Unix seconds. */
  readonly frozenAt: bigint | undefined
}

/** The private chain's clock: the machine's time plus an offset, or a time that stands still. Whole Unix seconds. */
export class Clock {
  readonly #wall: Wall
  #offset: bigint
  #frozenAt: bigint | undefined

  constructor(wall: Wall, { offset, frozenAt }: ClockState = { offset: 0n, frozenAt: undefined }) {
    this.#wall = wall
    this.#offset = offset
    this.#frozenAt = frozenAt
  }

  now(): bigint {
    return this.#frozenAt ?? this.wallTime + this.#offset
  }

  /** The same in milliseconds, for whoever orders what happens within a second. */
  milliseconds(): number {
    return this.#frozenAt === undefined ? this.#wall() + Number(this.#offset) * 1000 : Number(this.#frozenAt) * 1000
  }

  /** What the machine's clock shows, Unix seconds. */
  get wallTime(): bigint {
    return BigInt(Math.floor(this.#wall() / 1000))
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

  /** Puts the clock to a time, from which it runs on or at which it stays. */
  set(time: bigint, isFrozen: boolean): void {
    this.#offset = time - this.wallTime
    this.#frozenAt = isFrozen ? time : undefined
  }

  /** Puts the clock back to where it stood, from which it has run on since. */
  restore({ offset, frozenAt }: ClockState): void {
    this.#offset = offset
    this.#frozenAt = frozenAt
  }

  /** How long until the clock shows this time, in milliseconds of the machine; never while it stands still. */
  millisecondsUntil(time: bigint): number | undefined {
    if (time <= this.now()) return 0
    if (this.#frozenAt !== undefined) return undefined
    return Number(time - this.#offset) * 1000 - this.#wall()
  }
}
