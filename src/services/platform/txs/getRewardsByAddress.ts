import { rewardsOf } from "../../../core/readmodel/history.js"
import { RewardKind } from "../../../core/state/facts.js"
import { innerOutput } from "../../../core/types/output.js"
import { utxoID } from "../../../core/types/utxo.js"
import { described, list, oneOf } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { cursorOf, cursorOutput } from "../params/cursors.js"
import { addressesOf, addressParams, kindsParam, listParams, pageOf, requireNoGap } from "../params/history.js"

const rewardKinds = Object.keys(RewardKind) as (keyof typeof RewardKind)[]

export const getRewardsByAddress = method({
  name: "platform.getRewardsByAddress",
  summary:
    "Returns the rewards that were paid to an address or to several addresses, newest first. With `kinds` a page may have fewer rewards than the limit and a cursor.",
  isExtension: true,
  params: object({ ...addressParams, kinds: kindsParam("rewards", rewardKinds), ...listParams }),
  result: object({
    rewards: list(
      object({
        utxoID: id,
        amount: described(u64, "The amount in nAVAX on the primary network."),
        stakerTxID: described(id, "The ID of the transaction that added the staker."),
        nodeID: described(nodeID, "The node that validated, or was delegated to."),
        kind: described(
          oneOf(...rewardKinds),
          "What the reward was paid for: validation, a delegation, or the fees of delegators.",
        ),
        height: u64,
        timestamp: time,
      }),
    ),
    cursor: cursorOutput,
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
            nodeID: "NodeID-5V73LBNdoN5zLPUog2DCKTTjj1psoARKh",
            kind: "delegation",
            height: "9",
            timestamp: "2024-07-29T04:00:07Z",
          },
        ],
        cursor: null,
      },
    },
  ],

  async handler({ kinds, ...call }, context, { pace }) {
    const past = context.past(pace)
    const addresses = addressesOf(call, context)
    const page = await pageOf(call, past, context, requireNoGap)
    if (!page) return { rewards: [], cursor: null }
    const { events, next } = await rewardsOf(past, { addresses, kinds, ...page })
    const rewards = events.map(({ utxo, stakerTxID, nodeID, kind, height, time }) => ({
      utxoID: utxoID(utxo.txID, utxo.outputIndex),
      amount: innerOutput(utxo.output).amount,
      stakerTxID,
      nodeID,
      kind,
      height,
      timestamp: time,
    }))
    return { rewards, cursor: cursorOf(next) }
  },
})
