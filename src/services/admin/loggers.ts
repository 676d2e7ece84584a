import { type LogLevel, parseLogLevel } from "../../core/lib/log.js"
import { described, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import type { NodePort } from "../context.js"
import { adminError } from "./errors.js"

/** The name of the only log. */
const LOGGER = "serac"

export const loggerName = described(withDefault(string, ""), "The name of the logger, which is `serac`; all by default.")

const levels = object({ logLevel: string, displayLevel: string })

/** The result of reading or setting levels. AvalancheGo has a file and a terminal with a level each; Serac has one log. */
export const loggerLevels = object({ loggerLevels: object({ serac: levels }) })

/** Returns the log of this name. Throws `admin.unknown_logger` and `admin.fixed_log`. */
export function requireLog({ log }: Pick<NodePort, "log">, name: string): { level: LogLevel } {
  if (name !== "" && name !== LOGGER) throw adminError("admin.unknown_logger", { loggerName: name })
  if (log?.level === undefined) throw adminError("admin.fixed_log")
  return log as { level: LogLevel }
}

/** Returns the level of this name, which AvalancheGo writes in capitals. Throws `admin.bad_level`. */
export function requireLevel(name: string): LogLevel {
  const level = parseLogLevel(name)
  if (level === undefined) throw adminError("admin.bad_level", { level: name })
  return level
}

/** Returns the level of the log as the result of a method. */
export function levelsOf({ level }: { readonly level: LogLevel }) {
  const name = level.toUpperCase()
  return { loggerLevels: { serac: { logLevel: name, displayLevel: name } } }
}
