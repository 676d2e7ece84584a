import { type Json, parseJson, printJson } from "../../core/lib/json.js"
import { max } from "../../core/lib/math64.js"
import { chainTimeOf } from "../../core/rules/run.js"
import type { MetaChanges } from "../../store/meta.js"
import type { Store } from "../../store/store.js"
import type { Wall } from "../ports.js"
import { Clock } from "./clock.js"

/** How the clock of a chain begins. */
export interface ClockChoices {
  /** `--start-time`, Unix seconds: what the clock of a new chain shows first. */
  readonly startTime?: bigint | undefined
  /** `--freeze-time` */
  readonly isFrozen?: boolean | undefined
}

/** The clock as the store remembers it, or as it was chosen for a new chain. It never shows less than the chain's own time. */
export function openClock(store: Store, wall: Wall, choices: ClockChoices): Clock {
  const offset = store.getMeta("clockOffset")
  const kept = parseJson(store.getMeta("producer") ?? "{}") as { readonly frozenAt?: string }
  const frozenAt = kept.frozenAt === undefined ? undefined : BigInt(kept.frozenAt)
  const clock = new Clock(wall, { offset: offset ?? 0n, frozenAt })
  if (offset === undefined) startClock(clock, choices)
  const now = clock.now()
  clock.set(max(now, chainTimeOf(store.latest)), choices.isFrozen ?? clock.isFrozen)
  return clock
}

/** Puts a clock to where that of a new chain begins. */
export function startClock(clock: Clock, { startTime, isFrozen = false }: ClockChoices): void {
  clock.set(startTime ?? clock.wallTime, isFrozen)
}

/** What the store remembers of a clock. */
export function clockMeta(clock: Clock): MetaChanges {
  const { offset, frozenAt } = clock.state
  const kept: Json = frozenAt === undefined ? {} : { frozenAt: frozenAt.toString() }
  return { clockOffset: offset, producer: printJson(kept) }
}
