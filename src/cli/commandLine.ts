import { escapeControls } from "../core/lib/escapeControls.js"
import { Invalid } from "../core/lib/invalid.js"
import { printJson } from "../core/lib/json.js"
import { type Log, silentLog } from "../core/lib/log.js"
import { nearest } from "../core/lib/nearest.js"
import { REFERENCE, REFERENCE_VERSION } from "../core/networks/reference.js"
import { ProcessEnded } from "../node/processes/serverProcesses.js"
import { version } from "../node/version.js"
import type { ListedCommand } from "./command.js"
import { commands } from "./commands/index.js"
import { configurationFlags, readConfiguration } from "./configuration.js"
import { describeInvalid } from "./describe.js"
import { cliError } from "./errors.js"
import { type FlagSet, optionalFlag, parseCommandLine, resolveFlags } from "./flags/flags.js"
import { onOff } from "./flags/flagTypes.js"
import { logWarnings, warningsOf, warningsOfUnknown } from "./flags/withoutEffect.js"
import { installLastResort, UNCAUGHT, UncaughtError } from "./lastResort.js"
import { plainTerminal, type Terminal } from "./terminal.js"
import { unknownNames } from "./unknownNames.js"
import { hasStopSignal, runInChild } from "./untilStopped.js"

/** The command that runs when none is named. */
const DEFAULT_COMMAND = "node"

/** The minimum and maximum width of help: longer lines are hard to read, and narrower columns have too few words. */
const [LEAST_COLUMNS, MOST_COLUMNS] = [72, 110]

/** The exit codes: done, wrong input, a fault in Serac that ended the command, and EX_TEMPFAIL of sysexits.h. See also `UNCAUGHT`. */
const [DONE, WRONG_INPUT, FAULT, TRY_AGAIN] = [0, 1, 2, 75]

/** Refusals that pass when another program or the machine is ready, so that who supervises a node starts it again. */
const PASSING: ReadonlySet<string> = new Set([
  ...["node.address_taken", "node.cannot_listen", "store.locked", "store.disk_full", "postgres.no_chain", "postgres.unreachable"],
])

/** Runs the command line and returns the exit code. `isProcess` is true if the whole process runs it. */
export async function runCommandLine(words: readonly string[], terminal: Terminal, isProcess: boolean): Promise<number> {
  if (!isProcess) return runMain(words, terminal, false)
  installLastResort(terminal)
  const code = await runMain(words, terminal, true)
  // The channel to the process that started this one would keep it alive.
  if (process.connected) process.exit(code)
  return code
}

async function runMain(words: readonly string[], terminal: Terminal, isProcess: boolean): Promise<number> {
  try {
    await dispatch(words, plainTerminal(terminal))
    return DONE
  } catch (caught) {
    const error = isOutOfFiles(caught) ? cliError("cli.too_many_files") : caught
    if (error instanceof Invalid) {
      // A process in another container has the same process ID, so a child process, which has another one, does the work.
      if (error.code === "store.same_pid" && isProcess) return runInChild()
      terminal.note(`serac: ${describeInvalid(error)}\n`)
      // Nothing is lost, and a new process can write again.
      if (error.code === "store.write_failed" && isProcess && !hasStopSignal()) return runInChild()
      return PASSING.has(error.code) ? TRY_AGAIN : WRONG_INPUT
    }
    if (error instanceof UncaughtError) return UNCAUGHT
    if (error instanceof ProcessEnded) return typeof error.code === "number" ? error.code : FAULT
    const stack = escapeControls(String((error as Error).stack ?? error))
    terminal.note(`serac: this is a bug in Serac, not in what you gave it; please report it with these lines: ${stack}\n`)
    return FAULT
  }
}

/** Returns whether the system refused to open another file, such as a part of this program. */
function isOutOfFiles(error: unknown): boolean {
  return ["EMFILE", "ENFILE"].includes((error as { code?: string }).code ?? "")
}

async function dispatch(words: readonly string[], terminal: Terminal): Promise<void> {
  const [first = "", ...rest] = words
  if (first === "--version-json") return terminal.print(`${await versionJson()}\n`)
  if (first === "help" || first === "--help" || first === "-h") return help(rest, terminal)
  if (first === "" || first.startsWith("--")) return run(await requireCommand(DEFAULT_COMMAND), words, terminal, true)
  return run(await requireCommand(first), rest, terminal, false)
}

/** The versions as AvalancheGo prints them, and the back ends for signatures; there is no Go in this program. */
async function versionJson(): Promise<string> {
  const { versionOf } = await import("../node/port.js")
  const { backendNames, loadSecp256k1 } = await import("../platform/backends.js")
  await loadSecp256k1()
  const { name, version: number, databaseVersion, rpcProtocolVersion, gitCommit } = versionOf("contract")
  return printJson({
    application: `${name}/${number}`,
    reference: `${REFERENCE.name}/${REFERENCE_VERSION}`,
    database: databaseVersion,
    rpcchainvm: rpcProtocolVersion,
    commit: gitCommit,
    go: "",
    crypto: backendNames(),
  })
}

/** Runs one command: reads flags from all their sources, then does the work. */
async function run(listed: ListedCommand, words: readonly string[], terminal: Terminal, isDefault: boolean): Promise<void> {
  const command = await listed.load()
  const flags: FlagSet = { ...command.flags, ...configurationFlags, help: optionalFlag(onOff, "") }
  const asksForHelp = words.includes("--help") || words.includes("-h")
  if (asksForHelp && words.includes("--all")) return help([listed.name, "--all"], terminal)
  const line = parseCommandLine(
    words.map((word) => (word === "-h" ? "--help" : word)),
    flags,
  )
  if (line.flags.has("help")) return help(isDefault ? [] : [listed.name, ...line.args], terminal)
  const { env } = terminal
  const configuration = readConfiguration(resolveFlags(configurationFlags, line, env, {}).flags)
  const [least, most] = command.count
  const misplaced = isDefault ? line.args.find((word) => commands.some(({ name }) => name === word)) : undefined
  if (misplaced !== undefined) throw cliError("cli.misplaced_command", { command: misplaced })
  if (line.args.length < least) throw cliError("cli.missing_argument", { command: listed.name, takes: command.takes })
  if (line.args.length > most) throw cliError("cli.extra_argument", { argument: line.args[most], takes: command.takes })
  const unknown = await unknownNames({ env, configuration }, flags, commands)
  const input = resolveFlags(command.flags, line, env, configuration)
  const warnings = [...warningsOfUnknown(unknown), ...warningsOf(command.rules ?? [], input)]
  // A command with a log writes its own warnings there.
  if (!("log-level" in command.flags)) logWarnings(warnings, plainLog(terminal))
  await command.run({ ...input, warnings }, terminal)
}

/** Makes the log of a command that has none: one line on stderr for each warning. */
function plainLog(terminal: Terminal): Log {
  const warn: Log["warn"] = (event, data = {}) => {
    const shown = Object.entries(data).map(([name, value]) => `${name}: ${value}`)
    terminal.note(`serac: warning: ${escapeControls(`${event} (${shown.join(", ")})`)}\n`)
  }
  return { ...silentLog, warn }
}

/** Prints the help of `[COMMAND [GROUP | --all]]`. */
async function help([name, topic]: readonly string[], terminal: Terminal): Promise<void> {
  const { helpOf, overview } = await import("./help.js")
  if (name === undefined) return terminal.print(overview(commands, version))
  const listed = await requireCommand(name)
  const columns = Math.max(LEAST_COLUMNS, Math.min(terminal.columns ?? MOST_COLUMNS, MOST_COLUMNS))
  return terminal.print(helpOf(listed, await listed.load(), { topic, columns }))
}

async function requireCommand(name: string): Promise<ListedCommand> {
  const names = commands.map((command) => command.name)
  const found = commands.find((command) => command.name === name)
  if (found) return found
  const near = (await commandOfAction(name)) ?? nearest(name, names)
  throw cliError("cli.unknown_command", {
    command: name,
    ...(near === undefined ? { known: names.join(" ") } : { didYouMean: near }),
  })
}

/** Returns the command of an action that was given without it: `dev advance` for `advance`. */
async function commandOfAction(name: string): Promise<string | undefined> {
  for (const { name: command, load } of commands) {
    if ((await load()).words?.includes(name)) return `${command} ${name}`
  }
  return undefined
}
