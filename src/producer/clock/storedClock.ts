import { type Json, printJson } from "../../core/lib/json.js"
import type { Log } from "../../core/lib/log.js"
import { max } from "../../core/lib/math64.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { chainTimeOf } from "../../core/rules/context.js"
import type { MetaChanges } from "../../store/meta.js"
import type { Store } from "../../store/store.js"
import { producerError } from "../errors.js"
import type { WallClock } from "../ports.js"
import { Clock, type ReadableClock } from "./clock.js"

/** The choices for the clock of a new chain. */
export interface ClockChoices {
  /** `--start-time`: the first time of a new chain's clock, Unix seconds. */
  readonly startTime?: bigint | undefined
  /** `--freeze-time` */
  readonly isFrozen?: boolean | undefined
}

/**
 * Opens the clock as the store has it, or as the options set it for a new chain. It is never before the chain's own time. Throws
 * `producer.start_too_early` if a new chain would start before its genesis.
 */
export function openClock(store: Store, wall: WallClock, choices: ClockChoices, log: Log): Clock {
  const offset = store.getMeta("clockOffset")
  const stored = parseJson(store.getMeta("producer") ?? "{}") as { readonly frozenAt?: string }
  const frozenAt = stored.frozenAt === undefined ? undefined : BigInt(stored.frozenAt)
  const clock = new Clock(wall, { offset: offset ?? 0n, frozenAt }, log)
  const chainTime = chainTimeOf(store.latest)
  if (offset === undefined) {
    checkStart(choices.startTime, chainTime)
    startClock(clock, choices)
  }
  clock.set(max(clock.now(), chainTime), choices.isFrozen ?? clock.isFrozen)
  return clock
}

/** Refuses a start time before the first block (Unix seconds), at which rules and stakers begin. Throws `producer.start_too_early`. */
export function checkStart(startTime: bigint | undefined, earliest: bigint): void {
  if (startTime !== undefined && startTime < earliest) throw producerError("producer.start_too_early", { startTime, earliest })
}

/** Sets the clock to the start of a new chain. */
function startClock(clock: Clock, { startTime, isFrozen = false }: ClockChoices): void {
  clock.set(startTime ?? clock.wallTime, isFrozen)
}

/** Returns the store's entries for a clock. */
export function clockMeta(clock: ReadableClock): MetaChanges {
  const { offset, frozenAt } = clock.state
  const stored: Json = frozenAt === undefined ? {} : { frozenAt: frozenAt.toString() }
  return { clockOffset: offset, producer: printJson(stored) }
}
