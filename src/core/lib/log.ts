import type { Json } from "./json.js"

/** Levels of the log, from nothing to everything. */
export const logLevels = ["off", "error", "warn", "info", "debug"] as const
export type LogLevel = (typeof logLevels)[number]

/** Other names of levels that AvalancheGo has. */
const synonyms: Readonly<Record<string, LogLevel>> = { fatal: "error", trace: "info", verbo: "debug" }

/** Returns the level of this name, in any letter case; `undefined` if there is none. */
export function parseLogLevel(name: string): LogLevel | undefined {
  const lower = name.toLowerCase()
  return synonyms[lower] ?? logLevels.find((level) => level === lower)
}

export type LogData = Readonly<Record<string, Json>>

/** Takes events: a constant text, and its data. Values are never part of the text. */
export interface Log {
  /** Returns whether events of this level are written, for callers whose data is expensive to make. */
  isEnabled(level: LogLevel): boolean
  /** The lowest level that is written. It can be set while the node runs; omitted if it is fixed. */
  level?: LogLevel
  error(event: string, data?: LogData): void
  warn(event: string, data?: LogData): void
  info(event: string, data?: LogData): void
  debug(event: string, data?: LogData): void
}

export const silentLog: Log = { isEnabled: () => false, error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }
