import { described, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { adminError } from "./errors.js"
import { levelsOf, loggerLevels, loggerName, requireLevel, requireLog } from "./loggers.js"

export const setLoggerLevel = method({
  name: "admin.setLoggerLevel",
  summary: "Sets the lowest level of lines that the node logs, until it stops. `displayLevel` counts if both levels are given.",
  params: object({
    loggerName,
    logLevel: described(withDefault(string, ""), "The level: off, error, warn, info or debug, in any letter case."),
    displayLevel: described(
      withDefault(string, ""),
      "The same. AvalancheGo has one level for its files and one for the terminal.",
    ),
  }),
  result: loggerLevels,
  nodeSpecific: true,
  examples: [{ params: { logLevel: "off" }, result: { loggerLevels: { serac: { logLevel: "OFF", displayLevel: "OFF" } } } }],

  handler({ loggerName, logLevel, displayLevel }, { node }) {
    const name = displayLevel || logLevel
    if (name === "") throw adminError("admin.no_level")
    const log = requireLog(node, loggerName)
    log.level = requireLevel(name)
    return levelsOf(log)
  },
})
