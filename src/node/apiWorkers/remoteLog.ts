import { type Log, type LogLevel, logLevels } from "../../core/lib/log.js"
import type { FromWorker } from "./messages.js"

/** Makes a log whose lines the main process writes. */
export function remoteLog(level: LogLevel, send: (line: FromWorker) => void): Log {
  const isEnabled = (asked: LogLevel) => logLevels.indexOf(asked) <= logLevels.indexOf(level)
  const lineOf =
    (own: Exclude<LogLevel, "off">): Log["info"] =>
    (event, data) => {
      if (isEnabled(own)) send({ kind: "log", level: own, event, data })
    }
  return { isEnabled, error: lineOf("error"), warn: lineOf("warn"), info: lineOf("info"), debug: lineOf("debug") }
}

/** Returns the most detailed level that a log writes. */
export function levelOf(log: Log): LogLevel {
  return [...logLevels].reverse().find((level) => level !== "off" && log.isEnabled(level)) ?? "off"
}
