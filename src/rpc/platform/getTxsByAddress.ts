import { printRfc3339 } from "../../lib/rfc3339.js"
import { txsOf } from "../../readmodel/history.js"
import { idText } from "../../types/id.js"
import { answer } from "../answer.js"
import { method } from "../method.js"
import { object } from "../schema.js"
import { parseAddress } from "./addresses.js"
import { cursorAfter, eventParams, limitOf, placeOf } from "./cursors.js"

export const getTxsByAddress = method({
  name: "platform.getTxsByAddress",
  summary:
    "The accepted transactions that took from an address or gave to it, newest first. A cursor names a place: paging goes on while blocks are accepted. Ours: AvalancheGo has no such method.",
  params: object(eventParams),
  result: answer.object({
    txs: answer.list(answer.object({ txID: answer.id, kind: answer.string, height: answer.digits, timestamp: answer.time })),
    cursor: answer.described(answer.nullable(answer.string), "null at the end"),
  }),
  cost: 3,
  examples: [],

  handler({ address, limit: asked, cursor }, context) {
    const limit = limitOf(asked)
    const events = txsOf(context.view, { address: parseAddress(address, context), limit, ...placeOf(cursor) })
    const txs = events.map(({ txID, kind, height, time }) => ({
      txID: idText(txID),
      kind,
      height: height.toString(),
      timestamp: printRfc3339(time),
    }))
    return { txs, cursor: cursorAfter(events, limit) }
  },
})
