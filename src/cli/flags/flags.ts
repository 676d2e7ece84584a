import type { Json } from "../../core/lib/json.js"
import { nearest } from "../../core/lib/nearest.js"
import { cliError } from "../errors.js"

/** The environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A kind of value that flags take: text from the command line and the environment, any JSON from the configuration. */
export interface FlagType<T> {
  /** The placeholder of the value in help: `FILE`. A type without one is a switch, which needs no value. */
  readonly value?: string
  /** The form of a value, for the refusal of other values. */
  readonly expects: string
  /** Returns the value, or `undefined` if the text is not one. */
  read(given: Json, env: Environment): T | undefined
  /** The text between the values of a flag that is given several times. Without it the last value counts. */
  readonly separator?: string
}

/** One flag of a command: its type, its help text, and its default. */
export interface Flag<T> {
  readonly type: FlagType<T>
  readonly help: string
  readonly default: T | undefined
  /** The default as help shows it, if it does. */
  readonly defaultText?: string
}

export type FlagSet = Readonly<Record<string, Flag<unknown>>>

/** Declares a flag without a default: it is `undefined` if it is not set. */
export function optionalFlag<T>(type: FlagType<T>, help: string): Flag<T | undefined> {
  return { type, help, default: undefined }
}

/** Declares a flag with a default. */
export function flagWithDefault<T>(type: FlagType<T>, help: string, value: T, defaultText = String(value)): Flag<T> {
  return { type, help, default: value, ...(value === false || defaultText === "" ? {} : { defaultText }) }
}

/** A name in the environment or the configuration that is no flag of any command. */
export interface UnknownName {
  readonly name: string
  readonly source: "environment" | "configuration"
  readonly didYouMean?: string
}

/** A warning about the input of a command, as its log shows it. */
export interface Warning {
  readonly event: string
  readonly data: Readonly<Record<string, Json>>
}

/** The input of a command: the values of its flags, the sources of those that were set, and its arguments. */
export interface CommandInput<F extends FlagSet = FlagSet> {
  readonly flags: { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never }
  /** The flags that were set, with their source: `command line`, `environment` or `configuration`. */
  readonly set: ReadonlyMap<string, string>
  readonly args: readonly string[]
  /** Warnings for the log of the command, if it has one; omitted if the input was not checked. */
  readonly warnings?: readonly Warning[]
}

/** A parsed command line: flags as text (switches without a value as `true`), and all other arguments. */
export interface CommandLine {
  readonly flags: ReadonlyMap<string, Json>
  readonly args: readonly string[]
}

/** Splits a command line into flags and arguments: `--name value`, `--name=value`, switches alone, `--` before arguments that start with a dash. */
export function parseCommandLine(words: readonly string[], flags: FlagSet): CommandLine {
  const found = new Map<string, Json>()
  const args: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    if (word === "--") return { flags: found, args: [...args, ...words.slice(i + 1)] }
    if (!word.startsWith("-") || word === "-") {
      args.push(word)
      continue
    }
    const [name, inline] = splitFlag(word)
    const flag = Object.hasOwn(flags, name) && word.startsWith("--") ? flags[name] : undefined
    if (!flag) throw unknownFlag(word, name, flags)
    const { value, separator } = flag.type
    const given = inline ?? (value === undefined ? true : words[++i])
    const before = separator === undefined ? undefined : found.get(name)
    if (given !== undefined) found.set(name, before === undefined ? given : `${before}${separator}${given}`)
    else throw cliError("cli.flag_without_value", { flag: `--${name}`, expected: flag.type.expects })
  }
  return { flags: found, args }
}

function splitFlag(word: string): [name: string, value: string | undefined] {
  const equals = word.indexOf("=")
  const name = (equals < 0 ? word : word.slice(0, equals)).replace(/^--?/, "")
  return [name, equals < 0 ? undefined : word.slice(equals + 1)]
}

function unknownFlag(word: string, name: string, flags: FlagSet) {
  const near = nearest(name, Object.keys(flags))
  return cliError("cli.unknown_flag", { flag: word.split("=")[0], ...(near === undefined ? {} : { didYouMean: `--${near}` }) })
}

/** The environment variable of a flag: `SERAC_NETWORK_ID` for `--network-id`. */
export function variableOf(name: string): string {
  return `SERAC_${name.toUpperCase().replaceAll("-", "_")}`
}

/**
 * Returns the values of a command's flags. The command line wins over the environment, that over the configuration, that over
 * defaults. An empty variable counts as not set; keys of the configuration that are no flags of this command pass.
 */
export function resolveFlags<F extends FlagSet>(
  flags: F,
  { flags: given, args }: CommandLine,
  env: Environment,
  configuration: Readonly<Record<string, Json>>,
): CommandInput<F> {
  const values: Record<string, unknown> = {}
  const set = new Map<string, string>()
  for (const [name, flag] of Object.entries(flags)) {
    const variable = env[variableOf(name)]
    const sources: readonly (readonly [string, Json | undefined])[] = [
      ["command line", given.get(name)],
      ["environment", variable === "" ? undefined : variable],
      ["configuration", Object.hasOwn(configuration, name) ? configuration[name] : undefined],
    ]
    const [source, value] = sources.find((each) => each[1] !== undefined) ?? [undefined, undefined]
    if (source === undefined || value === undefined) {
      values[name] = flag.default
      continue
    }
    values[name] = readValue(name, flag, source, value, env)
    set.set(name, source)
  }
  return { flags: values as CommandInput<F>["flags"], set, args }
}

function readValue(name: string, flag: Flag<unknown>, source: string, given: Json, env: Environment): unknown {
  const value = flag.type.read(given, env)
  if (value !== undefined) return value
  const where = source === "environment" ? variableOf(name) : source === "configuration" ? name : `--${name}`
  throw cliError("cli.flag_value", { flag: where, value: given, expected: flag.type.expects })
}
