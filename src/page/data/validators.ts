import { isObject, type JsonObject, listOf } from "./decoded.js"
import { platform } from "./rpc.js"

/** An owner as the API writes it. */
export interface Owner {
  readonly addresses: readonly string[]
}

/** A current validator; an L1's has a balance, others an end. */
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

/** Asks for the validators of a subnet, by default the primary network. */
export async function askValidators(
  params: { subnetID?: string; nodeIDs?: readonly string[] } = {},
): Promise<readonly Validator[]> {
  return (await platform<{ validators: Validator[] }>("getCurrentValidators", params)).validators
}

/** A stake that has ended, and what it was rewarded with. */
export interface PaidReward {
  readonly stakerTxID: string
  readonly nodeID: string
  readonly time: string
  /** nAVAX to the owner of the stake; 0 where the reward was refused. */
  readonly amount: bigint
  readonly owner: string | undefined
  readonly isRefused: boolean
}

interface RewardRow {
  readonly amount: string
  readonly stakerTxID: string
}

/** Finds what a transaction that ended a stake paid out, by way of the stake's own transaction. */
export async function askPaidReward(txID: string): Promise<PaidReward | undefined> {
  const [{ tx }, info] = await Promise.all([
    platform<{ tx: JsonObject }>("getTx", { txID, encoding: "json" }),
    platform<{ status: string; timestamp: string }>("getTxInfo", { txID }),
  ])
  const stakerTxID = isObject(tx.unsignedTx) ? tx.unsignedTx.txID : undefined
  if (typeof stakerTxID !== "string") return undefined
  const staker = await platform<{ tx: JsonObject }>("getTx", { txID: stakerTxID, encoding: "json" })
  const unsigned = isObject(staker.tx.unsignedTx) ? staker.tx.unsignedTx : {}
  const owner = ownerOf(unsigned)
  const rewards = owner === undefined ? [] : await rewardsOf(owner, stakerTxID)
  const amount = rewards.reduce((sum, reward) => sum + BigInt(reward.amount), 0n)
  return { stakerTxID, nodeID: nodeIDOf(unsigned), time: info.timestamp, amount, owner, isRefused: info.status === "Aborted" }
}

async function rewardsOf(address: string, stakerTxID: string): Promise<readonly RewardRow[]> {
  const { rewards } = await platform<{ rewards: RewardRow[] }>("getRewardsByAddress", { address, limit: 200 })
  return rewards.filter((reward) => reward.stakerTxID === stakerTxID)
}

/** The first owner of a stake's reward, whatever the kind of its transaction calls it. */
function ownerOf(unsigned: JsonObject): string | undefined {
  const owner = unsigned.validationRewardsOwner ?? unsigned.validatorRewardsOwner ?? unsigned.rewardsOwner
  const [first] = isObject(owner) ? listOf(owner.addresses) : []
  return typeof first === "string" ? first : undefined
}

function nodeIDOf(unsigned: JsonObject): string {
  const { validator } = unsigned
  return String((isObject(validator) ? validator.nodeID : unsigned.nodeID) ?? "")
}
