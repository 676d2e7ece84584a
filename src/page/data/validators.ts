import { platform, type ResultOf } from "./rpc.js"

/** A current validator. An L1's validator has a balance, others have an end. */
export type Validator = ResultOf<"getCurrentValidators">["validators"][number]

/** An owner as the API writes it. */
export type Owner = NonNullable<Validator["validationRewardOwner"]>

/** Requests the validators of a subnet, by default the primary network. */
export async function askValidators(
  params: { subnetID?: string; nodeIDs?: readonly string[] } = {},
): Promise<readonly Validator[]> {
  return (await platform("getCurrentValidators", params)).validators
}

/** A stake, or a cycle of an auto-renewed validator, that has ended, and its reward. */
export interface PaidReward {
  readonly stakerTxID: string
  readonly nodeID: string
  readonly isDelegator: boolean
  /** True if only a cycle has ended and the validator goes on. */
  readonly goesOn: boolean
  readonly time: string
  /** The amount to all owners together, nAVAX; 0 if the reward was refused. */
  readonly amount: bigint
  readonly owner: string | undefined
  readonly isRefused: boolean
}

/** The kinds of transactions that end a stake, or a cycle of one. */
const ENDING_KINDS = ["RewardValidatorTx", "RewardAutoRenewedValidatorTx"] as const

/** Requests the stakes and cycles that ended last, the newest first; with a node ID only those of this node and its delegators. */
export async function askPaidRewards(limit: number, nodeID?: string): Promise<readonly PaidReward[]> {
  const params = { kinds: ENDING_KINDS, limit, ...(nodeID === undefined ? {} : { nodeID }) }
  const { txs } = await platform("getTxs", params)
  return Promise.all(txs.map(async ({ txID }) => rewardOf(await platform("getTxInfo", { txID }))))
}

function rewardOf({ kind, status, timestamp, staker, outputs }: ResultOf<"getTxInfo">): PaidReward {
  const rewards = outputs.filter(({ role }) => role === "reward")
  return {
    stakerTxID: staker?.txID ?? "",
    nodeID: staker?.nodeID ?? "",
    isDelegator: staker?.role === "delegator",
    goesOn: kind === "RewardAutoRenewedValidatorTx" && !outputs.some(({ role }) => role === "returned"),
    time: timestamp,
    amount: rewards.reduce((sum, reward) => sum + BigInt(reward.amount), 0n),
    owner: rewards[0]?.addresses?.[0],
    isRefused: status === "Aborted",
  }
}
