import { printRfc3339 } from "../../../core/lib/rfc3339.js"
import { chainTimeOf } from "../../../core/rules/run.js"
import { answer } from "../../../jsonrpc/result.js"
import { nothing } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"

export const getTimestamp = method({
  name: "platform.getTimestamp",
  summary: "The chain's time: that of the last accepted block, which may lie behind the clock.",
  params: nothing,
  result: answer.object({ time: answer.optional(answer.time), timestamp: answer.time }),
  examples: [{ params: {}, result: { time: "2024-07-30T04:00:07Z", timestamp: "2024-07-30T04:00:07Z" } }],

  handler(_params, { view, dialect }) {
    const timestamp = printRfc3339(chainTimeOf(view))
    return dialect === "contract" ? { time: timestamp, timestamp } : { timestamp }
  },
})
