import type { Log } from "../../core/lib/log.js"
import type { UnknownName } from "./flags.js"

/** A condition under which some flags have no effect. */
export interface Circumstance {
  readonly flags: readonly string[]
  /** True if the flags have no effect. */
  readonly applies: boolean
  /** The reason, and what to do instead. */
  readonly reason: string
}

/** Warns of each flag that was set and has no effect. */
export function warnOfFlagsWithoutEffect(
  set: ReadonlyMap<string, string>,
  circumstances: readonly Circumstance[],
  log: Log,
): void {
  for (const { flags, applies, reason } of circumstances) {
    for (const flag of applies ? flags : []) {
      if (set.has(flag)) log.warn("flag without effect", { flag: `--${flag}`, reason })
    }
  }
}

/** Warns of names in the environment or the configuration that are no flags. */
export function warnOfUnknownNames(names: readonly UnknownName[], log: Log): void {
  for (const { name, source, ...near } of names)
    log.warn("no flag has this name: its value has no effect", { name, source, ...near })
}
