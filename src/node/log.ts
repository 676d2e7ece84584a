import { avaxText } from "../core/lib/avaxText.js"
import { escapeControls, escapeLine } from "../core/lib/escapeControls.js"
import { groupThousands } from "../core/lib/groupThousands.js"
import { type Json, printJson } from "../core/lib/json.js"
import { type Log, type LogData, type LogLevel, logLevels } from "../core/lib/log.js"

export interface LogOptions {
  readonly level: LogLevel
  /** `people` prints lines for a terminal; `machines` prints one JSON object per line. */
  readonly form: "people" | "machines"
  /** True if lines for people have colours; true by default. */
  readonly hasColors?: boolean
  /** Returns Unix milliseconds. */
  now(): number
  write(text: string): void
}

const colors: Readonly<Record<string, string>> = { error: "\x1b[31m", warn: "\x1b[33m", info: "\x1b[36m", debug: "\x1b[90m" }

const [GREY, RESET] = ["\x1b[90m", "\x1b[0m"]

export function createLog({ level, form, now, write, hasColors = true }: LogOptions): Log {
  const isEnabled = (at: LogLevel) => logLevels.indexOf(at) <= logLevels.indexOf(log.level)
  const say =
    (at: LogLevel) =>
    (event: string, data: LogData = {}) => {
      if (!isEnabled(at)) return
      const time = new Date(now()).toISOString()
      if (form === "machines") return write(`${escapeControls(printJson({ time, level: at, event, ...data }))}\n`)
      const line = personLine(time, at, event, data)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts a colour
      write(hasColors ? line : line.replace(/\x1b\[\d+m/g, ""))
    }
  const log = { level, isEnabled, error: say("error"), warn: say("warn"), info: say("info"), debug: say("debug") }
  return log
}

function personLine(time: string, level: LogLevel, event: string, data: LogData): string {
  const [clock, name] = [`${GREY}${time.slice(11, 19)}${RESET}`, `${colors[level]}${level.padEnd(5)}${RESET}`]
  const format = activityLines[event]
  if (format) return `${clock} ${name} ${escapeLine(format(data))}\n`
  const details = Object.entries(data).map(([name, value]) => ` ${name}=${shownValue(name, value)}`)
  return `${clock} ${name} ${event}${GREY}${details.join("")}${RESET}\n`
}

/** Data may contain text from clients, which must neither control the terminal nor look like a line of its own. Stacks keep their lines. */
function shownValue(name: string, value: Json): string {
  if (name === "error" && typeof value === "string") return escapeControls(value)
  return escapeLine(typeof value === "string" ? value : printJson(value))
}

/** Formats the lines of an activity log for a person: IDs are shortened, fees are in AVAX. */
const activityLines: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => string>> = {
  block: ({ height, blockID, blockKind, transactions, size }) =>
    `block ${groupThousands(height as bigint)}  ${short(blockID)}  ${blockKind}, ${counted(transactions, "transaction")}, ${groupThousands(size as number)} bytes`,
  transaction: ({ txID, txKind, fee, height, effect }) =>
    `${txKind} ${short(txID)}  block ${groupThousands(height as bigint)}  fee ${avaxText(fee as bigint)}${effect === "" ? "" : `  ${effect}`}`,
  "refused call": ({ method, reason }) => `refused ${method === "" ? "a request" : method}: ${reason}`,
  "call without an answer": ({ method, reason }) => `${method} gets no answer: ${reason}`,
  "slow call": ({ method, milliseconds }) => `slow ${method}: ${groupThousands(milliseconds as number)} ms`,
  call: ({ method, milliseconds }) => `${method}: ${groupThousands(milliseconds as number)} ms`,
  "more refused calls": ({ calls }) => `and ${counted(calls, "more refused call")}`,
  "more blocks": ({ blocks, transactions }) =>
    `and ${counted(blocks, "more block")} with ${counted(transactions, "transaction")}`,
}

const short = (text: unknown): string => `${String(text).slice(0, 5)}…${String(text).slice(-4)}`

/** Prints a count with its noun: `1 block`, `2 blocks`. */
const counted = (count: unknown, noun: string): string =>
  `${groupThousands(count as number)} ${noun}${Number(count) === 1 ? "" : "s"}`
