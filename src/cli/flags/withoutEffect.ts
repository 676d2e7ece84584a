import type { Json } from "../../core/lib/json.js"
import type { Log } from "../../core/lib/log.js"
import { cliError } from "../errors.js"
import type { CommandInput, FlagSet, UnknownName, Warning } from "./flags.js"

/** A condition under which some flags of a command have no effect. */
export interface FlagRule<F extends FlagSet = FlagSet> {
  /** The names of the flags; a test checks that the command has them. */
  readonly flags: readonly string[]
  /** Returns true if the flags have no effect beside the others, or for these arguments. */
  applies(flags: CommandInput<F>["flags"], args: readonly string[]): boolean
  /** The reason, and what to do instead. */
  readonly reason: string
  /**
   * By default a flag without effect is refused on the command line. In the environment and the configuration, which several commands may
   * share, it gives a warning. `always` refuses it there, too, because to ignore it does harm; `never` gives a warning on the command line, too.
   */
  readonly refused?: "always" | "never"
}

/** Returns the rule for flags that have no effect unless another flag is given. */
export const needs = (other: string, flags: readonly string[], reason: string): FlagRule => ({
  flags,
  applies: (values) => !isOn(values[other]),
  reason,
})

/** Returns the rule for flags that have no effect beside another flag. */
export const excludes = (other: string, flags: readonly string[], reason: string): FlagRule => ({
  flags,
  applies: (values) => isOn(values[other]),
  reason,
})

const isOn = (value: unknown): boolean => value !== undefined && value !== false

/**
 * Returns the warnings about flags that were set and have no effect. Throws `cli.flag_without_effect` for those that are refused. Each flag is
 * named once, with the first reason.
 */
export function warningsOf(rules: readonly FlagRule[], { flags, set, args }: CommandInput): readonly Warning[] {
  const found = new Map<string, Warning>()
  for (const { flags: names, applies, reason, refused } of rules) {
    for (const name of names) {
      const source = set.get(name)
      if (source === undefined || found.has(name) || !applies(flags, args)) continue
      const data = { flag: `--${name}`, reason }
      if (refused === "always" || (refused === undefined && source === "command line"))
        throw cliError("cli.flag_without_effect", source === "command line" ? data : { ...data, source })
      found.set(name, { event: "flag without effect", data })
    }
  }
  return [...found.values()]
}

/** Returns the warnings about names in the environment or the configuration that are no flags. */
export const warningsOfUnknown = (names: readonly UnknownName[]): readonly Warning[] =>
  names.map(({ name, source, ...near }) => ({
    event: "no flag has this name: its value has no effect",
    data: { name, source, ...near } as Readonly<Record<string, Json>>,
  }))

/** Logs the warnings about the input of a command. */
export function logWarnings(warnings: readonly Warning[], log: Log): void {
  for (const { event, data } of warnings) log.warn(event, data)
}
