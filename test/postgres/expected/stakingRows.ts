import type { Staker } from "../../../src/core/state/staker.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { valuesOf } from "../../../src/core/state/view.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import type { Address } from "../../../src/core/types/address.js"
import { idText, nodeIDText } from "../../../src/core/types/id.js"
import { innerOutput } from "../../../src/core/types/output.js"
import { type Utxo, utxoID } from "../../../src/core/types/utxo.js"
import type { Row, Step, TxInBlock } from "./expectedRows.js"

const dateOf = (seconds: bigint): Date => new Date(Number(seconds) * 1000)
const isValidator = (priority: number): boolean => [2, 4, 6, 7, 9, 11].includes(priority)

/** The rows of stakers, their ends and rewards, and of the changes of validator sets. */
export class StakingRows {
  readonly #address: (value: Address) => string
  readonly #stakers = new Map<string, Row>()
  readonly #ends: Row[] = []
  /** The terms by staker and begin. */
  readonly #terms = new Map<string, Row>()
  readonly #rewards = new Map<string, Row>()
  readonly #setChanges: Row[] = []
  readonly #txs = new Map<string, Tx>()
  #present = new Map<string, Staker>()
  #members = new Map<string, bigint>()
  /** The commission of each validator so far, by the validator's transaction. */
  #delegateeRewards = new Map<string, bigint>()
  /** The auto-renewed validators that have restaked own rewards of earlier cycles. */
  #hasAccrued: ReadonlySet<string> = new Set()

  constructor(address: (value: Address) => string) {
    this.#address = address
  }

  byTable(): Record<string, Iterable<Row>> {
    return {
      stakers: this.#stakers.values(),
      staker_ends: this.#ends,
      staking_terms: this.#terms.values(),
      rewards: this.#rewards.values(),
      validator_set_changes: this.#setChanges,
    }
  }

  add(step: Step): void {
    const { view } = step
    for (const { tx } of step.txs) this.#txs.set(tx.id, tx)
    this.#addRewards(step)
    const all = [...valuesOf(view.rows(tables.currentStakers)), ...valuesOf(view.rows(tables.pendingStakers))]
    const present = new Map(all.map((staker) => [staker.txID as string, staker]))
    for (const staker of all) if (!this.#stakers.has(staker.txID)) this.#addStaker(staker, step)
    for (const staker of valuesOf(view.rows(tables.currentStakers))) this.#addTerm(staker, step)
    for (const [txID, staker] of this.#present) if (!present.has(txID)) this.#ends.push(this.#endOf(staker, step))
    this.#present = present
    this.#delegateeRewards = delegateeRewardsOf(view, all)
    this.#hasAccrued = new Set(all.filter((each) => hasAccrued(view, each)).map(({ txID }) => txID))
    this.#addSetChanges(step)
  }

  #addStaker(staker: Staker, { height }: Step): void {
    const { txID, subnetID, nodeID, weight, startTime, endTime, publicKey, priority } = staker
    const tx = this.#txs.get(txID)?.unsignedTx
    const own = tx && ("validationRewardsOwner" in tx ? tx.validationRewardsOwner : "rewardsOwner" in tx && tx.rewardsOwner)
    // Before Banff one owner got both.
    const shared =
      tx && ("delegationRewardsOwner" in tx ? tx.delegationRewardsOwner : tx.kind === "AddValidatorTx" && tx.rewardsOwner)
    const shares = tx && ("delegationShares" in tx ? tx.delegationShares : "shares" in tx ? tx.shares : null)
    this.#stakers.set(txID, {
      tx_id: idText(txID),
      height,
      role: isValidator(priority) ? "validator" : "delegator",
      subnet_id: idText(subnetID),
      node_id: nodeIDText(nodeID),
      weight: String(weight),
      start_time: dateOf(startTime),
      end_time: dateOf(endTime),
      public_key: publicKey ? new Uint8Array(publicKey) : null,
      delegation_shares: shares,
      is_auto_renewed: tx?.kind === "AddAutoRenewedValidatorTx",
      reward_addresses: own ? own.addresses.map(this.#address) : [],
      delegation_reward_addresses: shared ? shared.addresses.map(this.#address) : [],
    })
  }

  /** A current staker has a term that begins with the first state in which it is seen; an auto-renewed one begins again with each cycle. */
  #addTerm(staker: Staker, { last, view }: Step): void {
    const { txID, startTime, endTime, weight, potentialReward } = staker
    const key = `${txID} ${startTime}`
    if (this.#terms.has(key)) return
    this.#terms.set(key, {
      tx_id: idText(txID),
      height: last,
      start_time: dateOf(startTime),
      end_time: dateOf(endTime),
      weight: String(weight),
      ...restakedBy(this.#txs.get(txID), staker, view),
      potential_reward: String(potentialReward),
    })
  }

  #endOf({ txID, nodeID, subnetID }: Staker, { txs, height, time }: Step): Row {
    const ended = { tx_id: idText(txID), height, time }
    const rewarding = rewarderOf(txs, txID)
    if (rewarding) {
      const reason = rewarding.isCommitted ? "rewarded" : "unrewarded"
      return { ...ended, reason, ended_by: idText(rewarding.tx.id) }
    }
    const removing = txs.find(
      ({ tx: { unsignedTx: tx } }) => tx.kind === "RemoveSubnetValidatorTx" && tx.nodeID === nodeID && tx.subnetID === subnetID,
    )
    if (removing) return { ...ended, reason: "removed", ended_by: idText(removing.tx.id) }
    return { ...ended, reason: "expired", ended_by: null }
  }

  #addRewards(step: Step): void {
    const paid = [...valuesOf(step.view.rows(tables.rewardUtxos))].filter(
      ({ txID, outputIndex }) => !this.#rewards.has(utxoID(txID, outputIndex)),
    )
    for (const utxo of paid) {
      const { txID, outputIndex, assetID, output } = utxo
      const paying = (step.txs.find(({ tx }) => tx.id === txID) ?? rewarderOf(step.txs, txID)) as TxInBlock
      const stakerTxID = (paying.tx.unsignedTx as { txID: string }).txID
      const staker = this.#present.get(stakerTxID) as Staker
      const { amount, addresses } = innerOutput(output)
      this.#rewards.set(utxoID(txID, outputIndex), {
        tx_id: idText(txID),
        output_index: outputIndex,
        height: step.height,
        time: step.time,
        kind: this.#kindOf(utxo, utxo === paid[0], paid, staker, paying.isCommitted),
        staker_tx_id: idText(staker.txID),
        node_id: nodeIDText(staker.nodeID),
        subnet_id: idText(staker.subnetID),
        asset_id: idText(assetID),
        amount: String(amount),
        addresses: addresses.map(this.#address),
      })
    }
  }

  /**
   * Returns the kind of a reward. A staker gets its own reward first, also that of the cycles before one that failed, then the validator's share of
   * the delegators' rewards. The kind of a single output is determined by its owner, or by its amount if one owner gets both: the amount may be
   * more than the share that was due.
   */
  #kindOf({ output }: Utxo, isFirst: boolean, paid: readonly Utxo[], { txID, priority }: Staker, isCommitted: boolean): string {
    const { reward_addresses: own, delegation_reward_addresses: shared } = this.#stakers.get(txID) as Row
    const { addresses, amount } = innerOutput(output)
    const share = this.#delegateeRewards.get(txID) ?? 0n
    const isOnlyOwn = paid.length > 1 || amount > share || String(own) !== String(shared)
    const isOwn =
      (isCommitted || this.#hasAccrued.has(txID)) && isFirst && String(addresses.map(this.#address)) === String(own) && isOnlyOwn
    if (!isOwn) return "delegationFee"
    return isValidator(priority) ? "validation" : "delegation"
  }

  #addSetChanges({ view, last, time }: Step): void {
    const now = new Map<string, bigint>()
    for (const [{ subnetID, nodeID }, { weight }] of view.rows(tables.members)) {
      now.set(`${idText(subnetID)} ${nodeIDText(nodeID)}`, weight)
    }
    for (const key of new Set([...now.keys(), ...this.#members.keys()])) {
      const change = (now.get(key) ?? 0n) - (this.#members.get(key) ?? 0n)
      const [subnet_id, node_id] = key.split(" ")
      if (change !== 0n) this.#setChanges.push({ subnet_id, node_id, height: last, time, weight_change: String(change) })
    }
    this.#members = now
  }
}

/** What an auto-renewed validator has restaked: of both kinds together it is what its weight is above its original stake. */
function restakedBy(tx: Tx | undefined, { weight, nodeID, subnetID }: Staker, view: View): Row {
  if (tx?.unsignedTx.kind !== "AddAutoRenewedValidatorTx")
    return { restaked_validation_rewards: null, restaked_delegatee_rewards: null }
  const own = view.get(tables.renewals, { subnetID, nodeID })?.accruedValidationRewards ?? 0n
  const staked = tx.unsignedTx.stake.reduce((sum, { output }) => sum + innerOutput(output).amount, 0n)
  return { restaked_validation_rewards: String(own), restaked_delegatee_rewards: String(weight - staked - own) }
}

function rewarderOf(txs: readonly TxInBlock[], stakerTxID: string): TxInBlock | undefined {
  return txs.find(
    ({ tx: { unsignedTx: tx } }) =>
      (tx.kind === "RewardValidatorTx" || tx.kind === "RewardAutoRenewedValidatorTx") && tx.txID === stakerTxID,
  )
}

function delegateeRewardsOf(view: View, stakers: readonly Staker[]): Map<string, bigint> {
  return new Map(
    stakers
      .filter(({ priority }) => isValidator(priority))
      .map(({ txID, subnetID, nodeID }) => [txID, view.get(tables.delegateeRewards, { subnetID, nodeID }) ?? 0n]),
  )
}

function hasAccrued(view: View, { priority, subnetID, nodeID }: Staker): boolean {
  return isValidator(priority) && (view.get(tables.renewals, { subnetID, nodeID })?.accruedValidationRewards ?? 0n) > 0n
}
