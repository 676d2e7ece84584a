import { chainTimeOf } from "../../../core/rules/context.js"
import { optional } from "../../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { ofState } from "../../lifetimes.js"

export const getTimestamp = method({
  name: "platform.getTimestamp",
  summary: "Returns the time of the chain, which is the time of the last accepted block. It can be earlier than the clock.",
  params: nothing,
  result: object({ time: optional(time), timestamp: time }),
  lifetime: ofState,
  examples: [{ params: {}, result: { time: "2024-07-30T04:00:07Z", timestamp: "2024-07-30T04:00:07Z" } }],

  handler(_params, { view, dialect }) {
    const timestamp = chainTimeOf(view)
    return dialect === "contract" ? { time: timestamp, timestamp } : { timestamp }
  },
})
