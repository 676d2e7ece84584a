import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { levelsOf, loggerLevels, loggerName, requireLog } from "./loggers.js"

export const getLoggerLevel = method({
  name: "admin.getLoggerLevel",
  summary: "Returns the lowest level of lines that the node logs.",
  params: object({ loggerName }),
  result: loggerLevels,
  nodeSpecific: true,
  examples: [{ params: {}, result: { loggerLevels: { serac: { logLevel: "OFF", displayLevel: "OFF" } } } }],

  handler: ({ loggerName }, { node }) => levelsOf(requireLog(node, loggerName)),
})
