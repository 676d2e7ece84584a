import { priceAt } from "../../core/blocks/execute.js"
import { hexToBytes } from "../../core/lib/bytes.js"
import type { GasConfig, StakingLimits } from "../../core/networks/params.js"
import { gasOf } from "../../core/rules/chainTime.js"
import { chainTimeOf } from "../../core/rules/run.js"
import type { Tx } from "../../core/txs/tx.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import type { OutputOwners } from "../../core/types/owners.js"
import { producerError } from "../errors.js"
import type { Payment, Purse } from "../funds/wallet.js"
import type { Identity } from "../keys/identities.js"
import type { Producer } from "../producer.js"
import { type Period, periodFrom } from "../schedule/period.js"

/** Which validators are wanted. */
export interface ValidatorsWanted {
  readonly count: number
  /** nAVAX each; left out: the least there may be. */
  readonly weight?: bigint | undefined
  /** Seconds; left out: the longest there may be. */
  readonly duration?: bigint | undefined
  /** How many delegators each gets, with the least stake there may be. */
  readonly delegators: number
  /** Given for validators that renew themselves: their cycles take the place of `duration`. */
  readonly autoRenew?: AutoRenew | undefined
}

/** How a validator renews itself. */
export interface AutoRenew {
  /** The length of a cycle, seconds. */
  readonly period: bigint
  /** What is restaked of the rewards of a cycle, in millionths. */
  readonly compound: number
}

/** How long validators and their delegators stake, seconds: one cycle where they renew themselves. */
export function durationOf({ autoRenew, duration }: ValidatorsWanted, { maxStakeDuration }: StakingLimits): bigint {
  return autoRenew?.period ?? duration ?? maxStakeDuration
}

/** A validator to be, and how many of its delegators have still to come. */
export interface PendingValidator {
  readonly identity: Identity
  /** All of them begin and end together. Set when the validator's transaction is made. */
  period?: Period
  delegators: number
}

/** Transactions that go into blocks before the clock is moved again, and the gas they take. */
export interface StakeBatch {
  readonly txs: readonly Tx[]
  /** The validators that begin with it. */
  readonly begun: readonly { readonly identity: Identity; readonly txID: ID }[]
  readonly gas: bigint
}

/** Makes the transactions of one round: as many as there is gas for. */
export class StakeTxBuilder {
  readonly #producer: Producer
  readonly #purse: Purse
  readonly #wanted: ValidatorsWanted
  readonly #owner: OutputOwners

  constructor(producer: Producer, purse: Purse, wanted: ValidatorsWanted) {
    this.#producer = producer
    this.#purse = purse
    this.#wanted = wanted
    this.#owner = { kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [purse.key.address] }
  }

  /** Works off the orders from the front. A validator begins only where there is gas for its delegators too: their time would be too short later. */
  round(orders: PendingValidator[]): StakeBatch {
    const { head, treasury } = this.#producer
    const { staking, dynamicFee } = head.rules.params
    const now = this.#producer.now()
    const scratch = head.scratchAt(now)
    const price = treasury.price(now)
    const isMetered = priceAt(scratch, head.rules) !== undefined
    const capacity = isMetered ? gasOf(scratch).capacity : dynamicFee.maxCapacity
    const txs: Tx[] = []
    const begun: { identity: Identity; txID: ID }[] = []
    let gas = 0n
    for (let order = orders[0]; order; order = orders[0]) {
      const isNew = order.period === undefined
      const period = order.period ?? periodFrom(chainTimeOf(scratch), durationOf(this.#wanted, staking), head.rules)
      const delegation = this.#delegation(order.identity, period)
      const validation = this.#validation(order.identity, period)
      const group = this.#purse.gasOf(validation) + BigInt(order.delegators) * this.#purse.gasOf(delegation)
      const payment = isNew ? validation : delegation
      const own = this.#purse.gasOf(payment)
      const needed = isNew && group <= dynamicFee.maxCapacity ? group : own
      if (gas + needed > capacity) {
        if (txs.length === 0) checkCapacity(own, dynamicFee)
        break
      }
      order.period = period
      gas += own
      const tx = this.#purse.pay(payment, price)
      txs.push(tx)
      if (isNew) begun.push({ identity: order.identity, txID: tx.id })
      else order.delegators--
      if (order.delegators === 0) orders.shift()
    }
    return { txs, begun, gas }
  }

  #validation({ nodeID, publicKey, proofOfPossession }: Identity, period: Period): Payment {
    const { staking } = this.#producer.head.rules.params
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
      autoCompoundRewardShares: autoRenew.compound,
      period: autoRenew.period,
    }
    return { amount: weight, make: (parts) => ({ kind: "AddAutoRenewedValidatorTx", ...parts, ...common, ...renewing }) }
  }

  #delegation({ nodeID }: Identity, period: Period): Payment {
    const weight = this.#producer.head.rules.params.staking.minDelegatorStake
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

/** Throws `producer.too_little_gas` for what would wait for ever. */
function checkCapacity(gas: bigint, { maxCapacity, maxPerSecond }: GasConfig): void {
  if (gas > maxCapacity || maxPerSecond === 0n) throw producerError("producer.too_little_gas", { gas, maxCapacity, maxPerSecond })
}
