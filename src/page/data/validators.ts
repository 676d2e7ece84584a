import { isObject, type JsonObject } from "./decoded.js"
import type { TxAmounts } from "./flow.js"
import { platform } from "./rpc.js"

/** An owner as the API writes it. */
export interface Owner {
  readonly addresses: readonly string[]
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
  readonly nextPeriod?: string
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

/** A stake that has ended, and its reward. */
export interface PaidReward {
  readonly stakerTxID: string
  readonly nodeID: string
  readonly isDelegator: boolean
  readonly time: string
  /** The amount to all owners together, nAVAX; 0 if the reward was refused. */
  readonly amount: bigint
  readonly owner: string | undefined
  readonly isRefused: boolean
}

/** The kinds of transactions that end a stake, or a cycle of one. */
const ENDING_KINDS = ["RewardValidatorTx", "RewardAutoRenewedValidatorTx"]

/** Requests the stakes that ended last, the newest first; with a node ID only those of this node and its delegators. */
export async function askPaidRewards(limit: number, nodeID?: string): Promise<readonly PaidReward[]> {
  const params = { kinds: ENDING_KINDS, limit, ...(nodeID === undefined ? {} : { nodeID }) }
  const { txs } = await platform<{ txs: readonly { readonly txID: string }[] }>("getTxs", params)
  const rewards = await Promise.all(txs.map(({ txID }) => askPaidReward(txID)))
  return rewards.filter((reward) => reward !== undefined)
}

/** Finds the payout of a transaction that ended a stake, and the node in the transaction of the stake. */
async function askPaidReward(txID: string): Promise<PaidReward | undefined> {
  const [{ tx }, info] = await Promise.all([
    platform<{ tx: JsonObject }>("getTx", { txID, encoding: "json" }),
    platform<TxAmounts & { status: string; timestamp: string }>("getTxInfo", { txID }),
  ])
  const stakerTxID = isObject(tx.unsignedTx) ? tx.unsignedTx.txID : undefined
  if (typeof stakerTxID !== "string") return undefined
  const [staker, { kind }] = await Promise.all([
    platform<{ tx: JsonObject }>("getTx", { txID: stakerTxID, encoding: "json" }),
    platform<{ kind: string }>("getTxInfo", { txID: stakerTxID }),
  ])
  const unsigned = isObject(staker.tx.unsignedTx) ? staker.tx.unsignedTx : {}
  const rewards = info.outputs.filter(({ role }) => role === "reward")
  const amount = rewards.reduce((sum, reward) => sum + BigInt(reward.amount), 0n)
  const owner = rewards[0]?.addresses?.[0]
  return {
    stakerTxID,
    nodeID: nodeIDOf(unsigned),
    isDelegator: kind.includes("Delegator"),
    time: info.timestamp,
    amount,
    owner,
    isRefused: info.status === "Aborted",
  }
}

function nodeIDOf(unsigned: JsonObject): string {
  const { validator } = unsigned
  return String((isObject(validator) ? validator.nodeID : unsigned.nodeID) ?? "")
}
