import type { Command, ListedCommand } from "./command.js"
import { configurationFlags } from "./configuration.js"
import { cliError } from "./errors.js"
import type { FlagSet } from "./flags/flags.js"

/** Text of `serac help`. */
export function overview(commands: readonly ListedCommand[], version: string): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  const lines = commands.map(({ heading, name, summary }) => {
    return `${heading === undefined ? "" : `${heading}:\n`}  ${name.padEnd(width)}${summary}`
  })
  return `serac ${version}: a private Avalanche P-Chain for tests, and a P-Chain node
Usage: serac [COMMAND] [FLAGS]

${lines.join("\n")}

serac help COMMAND describes a command, with examples. serac --version prints the version.
A flag may also come from the environment (--network-id: SERAC_NETWORK_ID) or from --config-file, a JSON object
{"network-id": "fuji"}. The command line has priority over the environment, and the environment over the file.
`
}

/** Returns the text of `serac help COMMAND`; `topic` is a group of flags, or `--all`. Throws `cli.unknown_topic`. */
export function helpOf(listed: ListedCommand, command: Command, { topic: word, columns }: HelpOptions): string {
  // `serac l1 create --help` asks for the help of l1.
  const topic = command.words?.includes(word ?? "") ? undefined : word
  // serac help describes the flags that every command has.
  const flags = command.groups ? { ...command.flags, ...configurationFlags } : command.flags
  const groups = command.groups && { ...command.groups, Configuration: Object.keys(configurationFlags) }
  const { title, text } =
    groups && topic !== "--all" ? groupedFlags(listed.name, flags, groups, topic) : { title: "Flags", text: allFlags(flags) }
  const wrap = (lines: string) => wrapLines(lines, columns)
  if (groups && topic !== undefined && topic !== "--all") return wrap(`serac ${listed.name}: ${title}\n\n${text}\n`)
  // A call is not wrapped: people copy it.
  const examples = command.examples.map(({ call, does }) => `  ${call}\n${wrap(`      ${does}`)}`)
  const about = command.about
    .trim()
    .split("\n\n")
    .map((paragraph) => paragraph.replaceAll("\n", " "))
  return `${wrap(`serac ${listed.name}: ${listed.summary}`)}

Usage: ${usageOf(listed.name, command)}

${wrap(about.join("\n\n"))}

${title}:
${wrap(text)}

Examples:
${examples.join("\n")}
`
}

/** The requested part of the help, and the columns of the terminal. */
export interface HelpOptions {
  readonly topic?: string | undefined
  readonly columns: number
}

interface FlagText {
  readonly title: string
  readonly text: string
}

/** Prints the names of the groups, or the flags of one of them. */
function groupedFlags(
  command: string,
  flags: FlagSet,
  groups: Readonly<Record<string, readonly string[]>>,
  topic: string | undefined,
): FlagText {
  if (topic === undefined) {
    const width = Math.max(...Object.keys(groups).map((name) => name.length))
    const lines = Object.entries(groups).map(
      ([name, names]) => `  ${name.padEnd(width)}  ${names.length} flags, such as --${names[0]}`,
    )
    const hint = `  serac help ${command} GROUP lists the flags of a group, serac help ${command} --all lists all.`
    return { title: "Groups of flags", text: [...lines, hint].join("\n") }
  }
  const found = Object.keys(groups).find((name) => name.toLowerCase().startsWith(topic.toLowerCase()))
  if (found === undefined) throw cliError("cli.unknown_topic", { topic, known: Object.keys(groups).join(", ") })
  const some = Object.fromEntries((groups[found] ?? []).map((name) => [name, flags[name] as FlagSet[string]]))
  return { title: found, text: flagLines(some) }
}

/** Prints all flags. Those of AvalancheGo that have no effect have no help, and one sentence says where they are. */
function allFlags(flags: FlagSet): string {
  const described = Object.entries(flags).filter(([, { help }]) => help !== "")
  const rest = "\n\n  Flags of AvalancheGo that have no effect are not listed here: see Tuning peers in docs/reference.md."
  return flagLines(Object.fromEntries(described)) + (described.length === Object.keys(flags).length ? "" : rest)
}

/** `serac decode [HEX | @FILE | -] [FLAGS]` */
export function usageOf(name: string, { takes }: Command): string {
  return ["serac", name, takes, "[FLAGS]"].filter((part) => part !== "").join(" ")
}

/** `--network-id NAME|N` */
export function flagUsage(name: string, flags: FlagSet): string {
  const value = flags[name]?.type.value
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

const FLAG_WIDTH = 36

/** Prints one line for each flag. The description of a flag with a long name is on the line below. */
function flagLines(flags: FlagSet): string {
  const names = Object.keys(flags)
  const width = Math.min(FLAG_WIDTH, Math.max(...names.map((name) => flagUsage(name, flags).length)))
  const lines = names.map((name) => {
    const { help, defaultText } = flags[name]!
    const usage = flagUsage(name, flags)
    const head = usage.length > width ? `${usage}\n${" ".repeat(width + 2)}` : usage.padEnd(width)
    return `  ${head}  ${help}${defaultText === undefined ? "" : ` (default: ${defaultText})`}`
  })
  return lines.join("\n")
}

/**
 * Breaks lines that are wider than a terminal between two words. The rest of a line is indented like its second column, if it has one
 * (after two spaces or more), otherwise like its beginning.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, columns))
    .join("\n")
}

function wrapLine(line: string, columns: number): string {
  if (line.length <= columns) return line
  const [indent = ""] = /^ *(\S+( \S+)* {2,})?/.exec(line) ?? []
  const lines: string[] = []
  let current = indent
  for (const word of line.slice(indent.length).split(" ")) {
    const isFirst = current.trim() === indent.trim() && current.length === indent.length
    if (!isFirst && current.length + 1 + word.length > columns) {
      lines.push(current)
      current = " ".repeat(indent.length) + word
    } else current += isFirst ? word : ` ${word}`
  }
  return [...lines, current].join("\n")
}
