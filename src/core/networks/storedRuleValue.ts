import { SECOND } from "../lib/go/goDuration.js"
import { type FlagValue, readFlagValue } from "./flagValue.js"
import type { Params } from "./params.js"
import { applyStoredRuleFlags, ruleFlags } from "./ruleFlags.js"

/**
 * Returns the value of a rule that a chain has, in the form of its flag, if another value is given; `undefined` if it cannot be determined.
 */
export function storedRuleValue(params: Params, flag: string, given: FlagValue): string | undefined {
  const kind = ruleFlags.find(({ name }) => name === flag)?.kind
  const changed = changedLeaf(params, applyStoredRuleFlags(params, { [flag]: given }))
  if (kind === undefined || changed === undefined) return undefined
  if (kind !== "duration") return String(changed.before)
  // Some durations are stored in seconds, others in nanoseconds. The given value shows which.
  const unit = changed.after === 0n ? 0n : (readFlagValue(kind, given) as bigint) / (changed.after as bigint)
  const seconds = ((changed.before as bigint) * (unit < SECOND ? 1n : SECOND)) / SECOND
  return unit === 0n ? undefined : `${seconds}s`
}

interface NumberChange {
  readonly before: unknown
  readonly after: unknown
}

/** Finds the first number in which two objects of the same form differ. */
function changedLeaf(before: unknown, after: unknown): NumberChange | undefined {
  if (typeof before !== "object" || before === null) return before === after ? undefined : { before, after }
  for (const [name, value] of Object.entries(before)) {
    const changed = changedLeaf(value, (after as Record<string, unknown>)[name])
    if (changed) return changed
  }
  return undefined
}
