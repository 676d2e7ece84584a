import type { TxAmounts } from "./flow.js"
import { platform } from "./rpc.js"

/** An owner as the API writes it. */
export interface Owner {
  readonly addresses: readonly string[]
  readonly threshold?: string
}

/** A current validator. An L1's validator has a balance, others have an end. */
export interface Validator {
  readonly txID?: string
  readonly nodeID: string
  readonly weight: string
  readonly startTime: string
  readonly endTime?: string
  readonly potentialReward?: string
  readonly delegationFee?: string
  readonly delegatorCount?: string
  readonly delegatorWeight?: string
  readonly uptime?: string
  readonly connected?: boolean
  readonly validationRewardOwner?: Owner
  readonly validationID?: string
  readonly balance?: string
  /** The length of the next cycle of an auto-renewed validator in seconds; 0 if it leaves. */
  readonly nextPeriod?: string
  /** The share of the rewards that an auto-renewed validator restakes, in millionths. */
  readonly autoCompoundRewardShares?: string
  /** What an auto-renewed validator has restaked so far of its own rewards, and of its shares of delegators' rewards, nAVAX. */
  readonly restakedValidationRewards?: string
  readonly restakedDelegateeRewards?: string
  readonly validatorAuthority?: Owner
  readonly delegators?: readonly Delegator[] | null
}

/** A delegator of a validator. */
export interface Delegator {
  readonly txID: string
  readonly weight: string
  readonly startTime: string
  readonly endTime: string
  readonly potentialReward: string
  readonly rewardOwner?: Owner
}

/** Requests the validators of a subnet, by default the primary network. */
export async function askValidators(
  params: { subnetID?: string; nodeIDs?: readonly string[] } = {},
): Promise<readonly Validator[]> {
  return (await platform<{ validators: Validator[] }>("getCurrentValidators", params)).validators
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
const ENDING_KINDS = ["RewardValidatorTx", "RewardAutoRenewedValidatorTx"]

/** A transaction that ends a stake, as `platform.getTxInfo` answers it. */
interface EndInfo extends TxAmounts {
  readonly kind: string
  readonly status: string
  readonly timestamp: string
  readonly staker: { readonly txID: string; readonly nodeID: string; readonly role: string }
}

/** Requests the stakes and cycles that ended last, the newest first; with a node ID only those of this node and its delegators. */
export async function askPaidRewards(limit: number, nodeID?: string): Promise<readonly PaidReward[]> {
  const params = { kinds: ENDING_KINDS, limit, ...(nodeID === undefined ? {} : { nodeID }) }
  const { txs } = await platform<{ txs: readonly { readonly txID: string }[] }>("getTxs", params)
  return Promise.all(txs.map(async ({ txID }) => rewardOf(await platform<EndInfo>("getTxInfo", { txID }))))
}

function rewardOf({ kind, status, timestamp, staker, outputs }: EndInfo): PaidReward {
  const rewards = outputs.filter(({ role }) => role === "reward")
  return {
    stakerTxID: staker.txID,
    nodeID: staker.nodeID,
    isDelegator: staker.role === "delegator",
    goesOn: kind === "RewardAutoRenewedValidatorTx" && !outputs.some(({ role }) => role === "returned"),
    time: timestamp,
    amount: rewards.reduce((sum, reward) => sum + BigInt(reward.amount), 0n),
    owner: rewards[0]?.addresses?.[0],
    isRefused: status === "Aborted",
  }
}
