import { priceAt } from "../../core/blocks/steps.js"
import { hexToBytes } from "../../core/lib/bytes.js"
import type { GasConfig, StakingLimits } from "../../core/networks/params.js"
import { gasOf } from "../../core/rules/chainTime.js"
import { chainTimeOf } from "../../core/rules/context.js"
import type { Tx } from "../../core/txs/tx.js"
import { PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import type { OutputOwners } from "../../core/types/owners.js"
import { producerError } from "../errors.js"
import type { Payment } from "../funds/payment.js"
import type { Purse } from "../funds/wallet.js"
import type { DevIdentity } from "../keys/identities.js"
import { type Period, periodFrom } from "../schedule/period.js"
import type { ChainTurn } from "../turn/chainTurn.js"

/** The validators to add. */
export interface ValidatorsRequest {
  readonly count: number
  /** The stake of each, nAVAX; the smallest allowed by default. */
  readonly weight?: bigint | undefined
  /** The duration in seconds; the longest allowed by default. */
  readonly duration?: bigint | undefined
  /** The number of delegators of each, with the smallest stake allowed. */
  readonly delegators: number
  /** Set for auto-renewed validators, whose cycles replace `duration`. */
  readonly autoRenew?: AutoRenew | undefined
}

/** The cycles of an auto-renewed validator. */
export interface AutoRenew {
  /** The length of a cycle, seconds. */
  readonly period: bigint
  /** The share of a cycle's rewards that is restaked, in millionths. */
  readonly compoundShares: number
}

/** The duration of validators and their delegators in seconds: one cycle if they are auto-renewed. */
export function durationOf({ autoRenew, duration }: ValidatorsRequest, { maxStakeDuration }: StakingLimits): bigint {
  return autoRenew?.period ?? duration ?? maxStakeDuration
}

/** A validator whose transactions are not complete yet. */
export interface PendingValidator {
  readonly identity: DevIdentity
  /** The period of the validator and its delegators, set when the validator's transaction is made. */
  period?: Period
  /** The number of delegators without a transaction. */
  delegators: number
}

/** Transactions for which there is gas before the clock has to be moved, with the gas that they use. */
export interface StakeBatch {
  readonly txs: readonly Tx[]
  readonly gas: bigint
}

/** Builds the transactions of validators and delegators in batches. */
export class StakeTxBuilder {
  readonly #chain: ChainTurn
  readonly #purse: Purse
  readonly #wanted: ValidatorsRequest
  readonly #owner: OutputOwners

  constructor(chain: ChainTurn, purse: Purse, wanted: ValidatorsRequest) {
    this.#chain = chain
    this.#purse = purse
    this.#wanted = wanted
    this.#owner = { kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [purse.key.address] }
  }

  /**
   * Builds as many transactions as there is gas for, and removes finished validators from the list. A validator begins only if there is gas
   * for its delegators too, because later their time would be too short. It pauses after each transaction.
   */
  async nextBatch(pending: PendingValidator[]): Promise<StakeBatch> {
    const { rules } = this.#chain.status
    const { staking, dynamicFee } = rules.params
    const scratch = this.#chain.status.scratchAt(this.#chain.now())
    const price = this.#chain.treasury.price(this.#chain.now())
    const capacity = priceAt(scratch, rules) === undefined ? dynamicFee.maxCapacity : gasOf(scratch).capacity
    const txs: Tx[] = []
    let gas = 0n
    for (let next = pending[0]; next; next = pending[0]) {
      const isNew = next.period === undefined
      const period = next.period ?? periodFrom(chainTimeOf(scratch), durationOf(this.#wanted, staking), rules)
      const delegation = this.#delegation(next.identity, period)
      const validation = this.#validation(next.identity, period)
      const group = this.#purse.gasOf(validation) + BigInt(next.delegators) * this.#purse.gasOf(delegation)
      const payment = isNew ? validation : delegation
      const own = this.#purse.gasOf(payment)
      const needed = isNew && group <= dynamicFee.maxCapacity ? group : own
      if (gas + needed > capacity) {
        if (txs.length === 0) checkCapacity(own, dynamicFee)
        break
      }
      next.period = period
      gas += own
      txs.push(this.#purse.pay(payment, price))
      if (!isNew) next.delegators--
      if (next.delegators === 0) pending.shift()
      if (this.#chain.pace.isDue) await this.#chain.pace.pause()
    }
    return { txs, gas }
  }

  #validation({ nodeID, publicKey, proofOfPossession }: DevIdentity, period: Period): Payment {
    const { staking } = this.#chain.status.rules.params
    const { autoRenew, weight = staking.minValidatorStake } = this.#wanted
    const signer = { kind: "ProofOfPossession", publicKey, proofOfPossession } as const
    const owners = { validationRewardsOwner: this.#owner, delegationRewardsOwner: this.#owner }
    const common = { signer, stake: [this.#purse.outputOf(weight)], ...owners }
    const shares = staking.minDelegationFee
    if (autoRenew === undefined) {
      const validator = { nodeID, ...period, weight }
      const kind = "AddPermissionlessValidatorTx"
      return { amount: weight, make: (parts) => ({ kind, ...parts, ...common, validator, subnetID: PRIMARY_NETWORK_ID, shares }) }
    }
    const renewing = {
      nodeID: hexToBytes(nodeID),
      validatorAuthority: this.#owner,
      delegationShares: shares,
      autoCompoundRewardShares: autoRenew.compoundShares,
      period: autoRenew.period,
    }
    return { amount: weight, make: (parts) => ({ kind: "AddAutoRenewedValidatorTx", ...parts, ...common, ...renewing }) }
  }

  #delegation({ nodeID }: DevIdentity, period: Period): Payment {
    const weight = this.#chain.status.rules.params.staking.minDelegatorStake
    return {
      amount: weight,
      make: (parts) => ({
        kind: "AddPermissionlessDelegatorTx",
        ...parts,
        validator: { nodeID, ...period, weight },
        subnetID: PRIMARY_NETWORK_ID,
        stake: [this.#purse.outputOf(weight)],
        rewardsOwner: this.#owner,
      }),
    }
  }
}

/** Throws `producer.too_little_gas` if there is never enough gas for a transaction. */
function checkCapacity(gas: bigint, { maxCapacity, maxPerSecond }: GasConfig): void {
  if (gas > maxCapacity || maxPerSecond === 0n) throw producerError("producer.too_little_gas", { gas, maxCapacity, maxPerSecond })
}
