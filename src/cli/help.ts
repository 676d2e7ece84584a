import type { Command, ListedCommand } from "./command.js"
import { configurationFlags } from "./configuration.js"
import type { FlagSet } from "./flags.js"

/** Text of `serac help`. */
export function overview(commands: readonly ListedCommand[], version: string): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  return `serac ${version}, an Avalanche P-Chain node in TypeScript

Usage: serac [COMMAND] [FLAGS]

${commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join("\n")}

serac help COMMAND tells more, with examples. serac --version prints the version.
A flag may also come from the environment (--network-id: SERAC_NETWORK_ID) or from --config-file, a JSON object
{"network-id": "fuji"}. The command line wins over the environment, that over the file.
`
}

/** Returns the text of `serac help COMMAND`. */
export function helpOf(listed: ListedCommand, command: Command): string {
  const examples = command.examples.map(({ call, does }) => `  ${call}\n      ${does}`)
  return `serac ${listed.name}: ${listed.summary}

Usage: ${usageOf(listed.name, command)}

${command.about.trim()}

Flags:
${flagLines({ ...command.flags, ...configurationFlags }).join("\n")}

Examples:
${examples.join("\n")}
`
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

/** One line for each flag; what does not fit beside a long name stands below it. */
function flagLines(flags: FlagSet): string[] {
  const names = Object.keys(flags)
  const width = Math.min(FLAG_WIDTH, Math.max(...names.map((name) => flagUsage(name, flags).length)))
  return names.map((name) => {
    const { help, defaultText } = flags[name]!
    const usage = flagUsage(name, flags)
    const head = usage.length > width ? `${usage}\n${" ".repeat(width + 2)}` : usage.padEnd(width)
    return `  ${head}  ${help}${defaultText === undefined ? "" : ` (default: ${defaultText})`}`
  })
}
