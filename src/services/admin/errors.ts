import { refusals } from "../../core/lib/invalid.js"

/** Errors of the methods of `admin`. */
export const adminError = refusals({
  "admin.unknown_logger": {
    sentence: "there is no logger of this name: Serac has one, `serac`",
    avalanchegoMessage: ({ loggerName }) => `logger with name "${loggerName}" not found`,
  },
  "admin.no_level": {
    sentence: "no level is given: name `logLevel` or `displayLevel`",
    avalanchegoMessage: "need to specify either displayLevel or logLevel",
  },
  "admin.bad_level": {
    sentence: "there is no such level: off, error, warn, info and debug are the levels of the log",
    avalanchegoMessage: ({ level }) => `unknown log level: ${level}`,
  },
  "admin.fixed_log": "the level of this process's log cannot be read or set",
})
