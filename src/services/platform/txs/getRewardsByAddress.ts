import { rewardsOf } from "../../../core/readmodel/history.js"
import { innerOutput } from "../../../core/types/output.js"
import { utxoID } from "../../../core/types/utxo.js"
import { described, list, oneOf, string } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { nullable, time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { readAddress } from "../params/addresses.js"
import { cursorAfter, eventParams, limitOf, placeOf } from "../params/cursors.js"
import { requireNoGap } from "../params/history.js"

export const getRewardsByAddress = method({
  name: "platform.getRewardsByAddress",
  summary: "Returns the rewards that were paid to an address, newest first.",
  isExtension: true,
  params: object(eventParams),
  result: object({
    rewards: list(
      object({
        utxoID: id,
        amount: described(u64, "The amount in nAVAX on the primary network."),
        stakerTxID: described(id, "The ID of the transaction that added the staker."),
        kind: described(
          oneOf("validation", "delegation", "delegationFee"),
          "What the reward was paid for: validation, a delegation, or the fees of delegators.",
        ),
        height: u64,
        timestamp: time,
      }),
    ),
    cursor: described(nullable(string), "The cursor of the next page, or null after the last page."),
  }),
  cost: 3,
  examples: [
    {
      params: { address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6" },
      result: {
        rewards: [
          {
            utxoID: "hfsWso7GHBK2YcvHpAybdEV6PUujt5N7ah8uPvhNGyuHPb4LP",
            amount: "374344799",
            stakerTxID: "2EVaAE38MsgWh3QAht3Mj7L7dsEAKWdZR6VqXUvNGas4KWL4jo",
            kind: "delegation",
            height: "9",
            timestamp: "2024-07-29T04:00:07Z",
          },
        ],
        cursor: null,
      },
    },
  ],

  async handler({ address, limit: asked, cursor }, context, { pace }) {
    const past = context.past(pace)
    requireNoGap(context)
    const limit = limitOf(asked)
    const events = await rewardsOf(past, { address: readAddress(address, context), limit, ...placeOf(cursor) })
    const rewards = events.map(({ utxo, stakerTxID, kind, height, time }) => ({
      utxoID: utxoID(utxo.txID, utxo.outputIndex),
      amount: innerOutput(utxo.output).amount,
      stakerTxID,
      kind,
      height,
      timestamp: time,
    }))
    return { rewards, cursor: cursorAfter(events, limit) }
  },
})
