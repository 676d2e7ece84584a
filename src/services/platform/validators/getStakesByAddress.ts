import { isActive } from "../../../core/networks/upgrades.js"
import { type StakeEvent, stakesOfAddresses, stakingKinds } from "../../../core/readmodel/explorer/stakeQueries.js"
import { innerOutput } from "../../../core/types/output.js"
import { described, list, oneOf, optional, string } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { cursorOf, cursorOutput } from "../params/cursors.js"
import { addressesOf, addressParams, kindsParam, listParams, pageOf } from "../params/history.js"

export const getStakesByAddress = method({
  name: "platform.getStakesByAddress",
  summary:
    "Returns the stakes of an address or of several addresses, present and past, newest first: those whose staked outputs belong to one of them, alone or with others. `from` and `to` limit the blocks that added them.",
  isExtension: true,
  params: object({ ...addressParams, kinds: kindsParam("stakes", stakingKinds), ...listParams }),
  result: object({
    stakes: list(
      object({
        txID: described(id, "The ID of the transaction that added the staker."),
        kind: string,
        role: oneOf("validator", "delegator"),
        nodeID,
        subnetID: id,
        assetID: described(id, "The staked asset."),
        amount: described(u64, "The stake, in the smallest unit of the asset."),
        state: described(
          oneOf("pending", "active", "ended", "aborted"),
          "Whether the staking period is ahead, runs, or is over; `aborted` if the staker was never added.",
        ),
        startTime: time,
        endTime: time,
        potentialReward: described(optional(u64), "What the staker may get at the end of an active period, in nAVAX."),
        restakedValidationRewards: described(
          optional(u64),
          "The sum of its own rewards that an active auto-renewed validator has restaked so far, in nAVAX.",
        ),
        restakedDelegateeRewards: described(
          optional(u64),
          "The sum of its shares of delegators' rewards that an active auto-renewed validator has restaked so far, in nAVAX.",
        ),
        paidReward: described(u64, "The rewards that were paid so far, those for delegations included, in nAVAX."),
        rewardTxID: described(
          optional(id),
          "The transaction that ended the period, or the last cycle of an auto-renewed validator.",
        ),
      }),
    ),
    cursor: cursorOutput,
  }),
  cost: 5,
  examples: [
    {
      params: { address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6" },
      result: {
        stakes: [
          {
            txID: "2EVaAE38MsgWh3QAht3Mj7L7dsEAKWdZR6VqXUvNGas4KWL4jo",
            kind: "AddPermissionlessDelegatorTx",
            role: "delegator",
            nodeID: "NodeID-5V73LBNdoN5zLPUog2DCKTTjj1psoARKh",
            subnetID: "11111111111111111111111111111111LpoYY",
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            amount: "100000000000",
            state: "ended",
            startTime: "2024-07-15T04:00:08Z",
            endTime: "2024-07-29T04:00:07Z",
            paidReward: "374344799",
            rewardTxID: "2ApQX8xHenXwszYSSrBkfj5J8HXDKCXgfFvGoe5hoExP1Tqbr2",
          },
          {
            txID: "EFLzHqU7pYK4bC6H93HhRgQgG87zWdWy5a2HHbLLpcFdcHkWu",
            kind: "AddPermissionlessValidatorTx",
            role: "validator",
            nodeID: "NodeID-5V73LBNdoN5zLPUog2DCKTTjj1psoARKh",
            subnetID: "11111111111111111111111111111111LpoYY",
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            amount: "2000000000000",
            state: "ended",
            startTime: "2024-07-15T04:00:07Z",
            endTime: "2024-07-30T04:00:06Z",
            paidReward: "9598585",
            rewardTxID: "2ruVLd1MD1wZwsJhQAoBGFBS7QMKJXZH1AEg2iZtN2rLQ4574t",
          },
        ],
        cursor: null,
      },
    },
  ],

  async handler({ kinds, ...call }, context, { pace }) {
    const past = context.past(pace)
    const addresses = addressesOf(call, context)
    const page = await pageOf(call, past, context)
    if (!page) return { stakes: [], cursor: null }
    const { upgrades, avaxAssetID } = context.rules
    const startAtOnce = (time: bigint) => isActive(upgrades, "durango", time)
    const { stakes, next } = await stakesOfAddresses(past, { addresses, kinds, ...page, startAtOnce })
    return { stakes: stakes.map((stake) => stakeFacts(stake, avaxAssetID)), cursor: cursorOf(next) }
  },
})

function stakeFacts({ txID, kind, info, ...event }: StakeEvent, avaxAssetID: StakeEvent["txID"]) {
  const { state, startTime, endTime, potentialReward, restaked, paidReward, rewardTxID } = event
  const amount = info.stake.reduce((sum, { output }) => sum + innerOutput(output).amount, 0n)
  return {
    ...{ txID, kind, role: info.role, nodeID: info.nodeID, subnetID: info.subnetID },
    assetID: info.stake[0]?.assetID ?? avaxAssetID,
    ...{ amount, state, startTime, endTime, potentialReward },
    ...{ restakedValidationRewards: restaked?.validation, restakedDelegateeRewards: restaked?.delegatee },
    ...{ paidReward, rewardTxID },
  }
}
