import type { CommandInput, FlagSet } from "./flags/flags.js"
import type { FlagRule } from "./flags/withoutEffect.js"
import type { Terminal } from "./terminal.js"

/** An example call, and a phrase about its purpose. */
export interface CommandExample {
  readonly call: string
  readonly does: string
}

/** One command. Its name and summary are in the list of commands, so that listing them loads no command. */
export interface Command<F extends FlagSet = FlagSet> {
  /** The arguments besides flags, as help shows them: `VALUE`, `[HEX | @FILE | -]`. */
  readonly takes: string
  /** The smallest and the largest number of arguments. */
  readonly count: readonly [least: number, most: number]
  /** A few lines about the command for `serac help`. */
  readonly about: string
  readonly examples: readonly CommandExample[]
  readonly flags: F
  /** What the flags need, and what they exclude. */
  readonly rules?: readonly FlagRule<NoInfer<F>>[]
  /** For a command with many flags: their names by group. Flags without a word of help are in no group. */
  readonly groups?: Readonly<Record<string, readonly string[]>>
  /** The words that the first argument can be, if they are known: completion offers them. */
  readonly words?: readonly string[]
  /** Runs the command. Throws `Invalid` if the input is wrong. */
  run(given: CommandInput<F>, terminal: Terminal): Promise<void>
}

/** Declares a command. Its flags determine the type of the input of `run`. */
export function command<F extends FlagSet>(definition: Command<F>): Command<F> {
  return definition
}

/** A command in the list: its facts before it is loaded. */
export interface ListedCommand {
  /** The heading of the group of commands that begins here. */
  readonly heading?: string
  readonly name: string
  readonly summary: string
  load(): Promise<Command>
}
