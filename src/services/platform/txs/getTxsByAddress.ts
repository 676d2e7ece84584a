import { txsOfAddress } from "../../../core/readmodel/history.js"
import { described, list, string } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { nullable, time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { readAddress } from "../params/addresses.js"
import { cursorAfter, eventParams, limitOf, placeOf } from "../params/cursors.js"

export const getTxsByAddress = method({
  name: "platform.getTxsByAddress",
  summary:
    "Returns the accepted transactions that consumed or created outputs of an address, newest first. A cursor stays valid while new blocks are accepted. This is an extension: AvalancheGo has no such method.",
  params: object(eventParams),
  result: object({
    txs: list(object({ txID: id, kind: string, height: u64, timestamp: time })),
    cursor: described(nullable(string), "The cursor of the next page, or null after the last page."),
  }),
  cost: 3,
  examples: [
    {
      params: { address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6", limit: 3 },
      result: {
        txs: [
          {
            txID: "2cBL2LWSw7Ngb12128mdMtRsncrhphQE9QKq9gJsJM1ZKTsg2j",
            kind: "ExportTx",
            height: "13",
            timestamp: "2024-07-30T04:00:07Z",
          },
          {
            txID: "2ruVLd1MD1wZwsJhQAoBGFBS7QMKJXZH1AEg2iZtN2rLQ4574t",
            kind: "RewardValidatorTx",
            height: "11",
            timestamp: "2024-07-30T04:00:06Z",
          },
          {
            txID: "2ApQX8xHenXwszYSSrBkfj5J8HXDKCXgfFvGoe5hoExP1Tqbr2",
            kind: "RewardValidatorTx",
            height: "9",
            timestamp: "2024-07-29T04:00:07Z",
          },
        ],
        cursor: "9-0",
      },
    },
  ],

  handler({ address, limit: asked, cursor }, context) {
    const limit = limitOf(asked)
    const events = txsOfAddress(context.view, { address: readAddress(address, context), limit, ...placeOf(cursor) })
    const txs = events.map(({ txID, kind, height, time }) => ({ txID, kind, height, timestamp: time }))
    return { txs, cursor: cursorAfter(events, limit) }
  },
})
