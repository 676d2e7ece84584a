import type { Rules } from "../../../src/core/rules/context.js"
import { advanceExcess, l1FeesOver } from "../../../src/core/rules/l1Fee.js"
import { rewardOf, splitReward } from "../../../src/core/rules/reward.js"
import { type ID, type NodeID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { AVAX, idOfByte } from "../../fixtures/txs.js"
import type { Coin, ModelFact, ModelL1Validator, ModelStaker, ModelSubnet } from "./modelRows.js"

/** The asset that open subnets are staked with. */
export const COIN = idOfByte(0xfc)

/** The first supply of an open subnet, and the parameters of its rewards: a usual stake earns zero or a few units. */
export const OPEN_SUPPLY = 1_000_000_000n
export const OPEN_REWARDS = { minConsumptionRate: 100_000n, maxConsumptionRate: 900_000n, supplyCap: 3_000n * OPEN_SUPPLY }

/**
 * A second, simple implementation of the rules in plain maps: UTXOs, stakers, owners of subnets, L1 validators. From the program it uses
 * only arithmetic (prices and rewards), which vectors check.
 */
export class Model {
  readonly rules: Rules
  time: bigint
  readonly supplies: Map<ID, bigint>
  accruedFees = 0n
  l1Excess = 0n
  readonly coins = new Map<string, Coin>()
  /** UTXOs that can be imported. */
  readonly waiting = new Map<string, Coin>()
  readonly stakers = new Map<ID, ModelStaker>()
  /** By subnet and node. */
  readonly delegateeRewards = new Map<string, bigint>()
  readonly subnets = new Map<ID, ModelSubnet>()
  readonly l1Validators = new Map<ID, ModelL1Validator>()
  readonly usedRegistrations = new Set<ID>()
  /** The facts of the present block, in the order in which they happened. */
  facts: ModelFact[] = []

  constructor(rules: Rules, time: bigint, supply: bigint) {
    this.rules = rules
    this.time = time
    this.supplies = new Map([[PRIMARY_NETWORK_ID, supply]])
  }

  get active(): [ID, ModelL1Validator][] {
    return [...this.l1Validators].filter(([, { endAccumulatedFee }]) => endAccumulatedFee > 0n)
  }

  /** Returns a model of the same state, which changes by itself. */
  copy(): Model {
    const copy = new Model(this.rules, this.time, 0n)
    const { accruedFees, l1Excess } = this
    Object.assign(copy, { accruedFees, l1Excess })
    for (const name of ["supplies", "coins", "waiting", "stakers", "delegateeRewards", "subnets", "l1Validators"] as const) {
      const rows = copy[name] as Map<unknown, unknown>
      rows.clear()
      for (const [key, row] of this[name]) rows.set(key, row)
    }
    for (const id of this.usedRegistrations) copy.usedRegistrations.add(id)
    return copy
  }

  /** Adds a coin that its owner spends before its other ones. */
  addFirst(coin: Coin): void {
    const others = [...this.coins.values()]
    this.coins.clear()
    for (const each of [coin, ...others]) this.add(each)
  }

  add(coin: Coin): void {
    this.coins.set(`${coin.txID}:${coin.outputIndex}`, coin)
  }

  take({ txID, outputIndex }: Coin): void {
    if (!this.coins.delete(`${txID}:${outputIndex}`)) throw new Error("the model spent what it does not have")
  }

  validatorAt(nodeID: NodeID, subnetID: ID = PRIMARY_NETWORK_ID): ModelStaker | undefined {
    return [...this.stakers.values()].find((each) => each.isValidator && each.nodeID === nodeID && each.subnetID === subnetID)
  }

  /** The largest weight of a validator while a new delegation lasts, if all present stakers stayed to the end. */
  carriedBy({ nodeID, subnetID }: ModelStaker): bigint {
    const those = [...this.stakers.values()].filter((each) => each.nodeID === nodeID && each.subnetID === subnetID)
    return sum(those.map(({ weight }) => weight))
  }

  assetOf(subnetID: ID): ID {
    return subnetID === PRIMARY_NETWORK_ID ? AVAX : COIN
  }

  /**
   * Advances time: pending stakers begin, permissioned validators leave, L1 validators pay. Returns the stakers that the block removes from the
   * pending and current sets, which cannot return in the same block.
   */
  advance(time: bigint): string[] {
    const seconds = time - this.time
    const before = this.time
    this.time = time
    const removed: string[] = []
    const begin = [...this.stakers.values()].filter(
      ({ potentialReward, start }) => potentialReward === undefined && start <= time,
    )
    for (const staker of begin.sort(byStart)) this.begin(staker)
    for (const [id, subnet] of this.subnets) {
      for (const [nodeID, { begins, end }] of subnet.validators) {
        if (begins > before && begins <= time) removed.push(`waiting ${id} ${nodeID}`)
        if (end > time) continue
        removed.push(`current ${id} ${nodeID}`)
        this.facts.push({ kind: "left", subnetID: id, nodeID, reason: "expired" })
      }
      const staying = [...subnet.validators].filter(([, { end }]) => end > time)
      this.subnets.set(id, { ...subnet, validators: new Map(staying) })
    }
    if (!this.isEtna) return removed
    const { validatorFee } = this.rules.params
    const count = BigInt(this.active.length)
    this.accruedFees += l1FeesOver(validatorFee, count, this.l1Excess, seconds)
    this.l1Excess = advanceExcess(count, this.l1Excess, validatorFee.target, seconds)
    this.#stop(true, ({ endAccumulatedFee }) => endAccumulatedFee <= this.accruedFees)
    return removed
  }

  /** Deactivates the L1 validators that cannot pay for one more second. Called after the transactions of a block. */
  sweep(): void {
    const next = this.accruedFees + this.nextFee()
    this.#stop(false, ({ endAccumulatedFee }) => endAccumulatedFee < next)
  }

  /** The fee of the next second with this many more active L1 validators. */
  nextFee(more = 0n): bigint {
    return l1FeesOver(this.rules.params.validatorFee, BigInt(this.active.length) + more, this.l1Excess, 1n)
  }

  get isEtna(): boolean {
    return this.time >= this.rules.upgrades.times.etna
  }

  get isHelicon(): boolean {
    return this.time >= this.rules.upgrades.times.helicon
  }

  get isDurango(): boolean {
    return this.time >= this.rules.upgrades.times.durango
  }

  /** Moves a staker to the current set: its potential reward is computed and added to the supply. */
  begin(staker: ModelStaker): void {
    const { subnetID, start, end, weight } = staker
    const network = this.rules.params.reward
    const config =
      subnetID === PRIMARY_NETWORK_ID
        ? { ...network, minConsumptionRate: this.#lowerRate(start) }
        : { ...network, ...OPEN_REWARDS }
    const supply = this.supplies.get(subnetID)!
    const potentialReward = rewardOf(config, end - start, weight, supply)
    this.supplies.set(subnetID, supply + potentialReward)
    this.stakers.set(staker.txID, { ...staker, potentialReward })
  }

  /** From 100,000 down to 75,000 millionths within 90 days of Helicon, in whole steps. */
  #lowerRate(start: bigint): bigint {
    const since = start - this.rules.upgrades.times.helicon
    if (since < 0n) return 100_000n
    const days90 = 7_776_000n
    return since >= days90 ? 75_000n : 100_000n - (25_000n * since) / days90
  }

  /** Ends a cycle by a transaction of this ID: the validator continues with its restaked amount, or leaves with everything. */
  endCycle(txID: ID, rewardTxID: ID, isRewarded: boolean): void {
    const staker = this.stakers.get(txID)!
    const { owner, outputs, subnetID, nodeID, weight, end } = staker
    const { accruedValidation, accruedDelegatee, stake, shares, period } = staker.renewal!
    const place = `${subnetID} ${nodeID}`
    const [promised, earned] = [staker.potentialReward!, this.delegateeRewards.get(place) ?? 0n]
    let outputIndex = 0
    const pay = (amount: bigint, rewardKind: "validation" | "delegationFee") => {
      if (amount === 0n) return
      this.facts.push({ kind: "rewarded", rewardKind, txID: rewardTxID, outputIndex })
      this.add({ assetID: AVAX, txID: rewardTxID, outputIndex: outputIndex++, owner, amount })
    }
    this.delegateeRewards.delete(place)
    this.stakers.delete(txID)
    if (!isRewarded) this.supplies.set(subnetID, this.supplies.get(subnetID)! - promised)
    if (!isRewarded || period === 0n) {
      this.add({ assetID: AVAX, txID, outputIndex: outputs, owner, amount: stake })
      pay(accruedValidation + (isRewarded ? promised : 0n), "validation")
      pay(accruedDelegatee + earned, "delegationFee")
      this.facts.push({ kind: "left", subnetID, nodeID, reason: isRewarded ? "rewarded" : "unrewarded" })
      return
    }
    const [validation, delegatee] = [promised, earned].map((reward) => splitReward(reward, shares).delegatee) as [bigint, bigint]
    pay(promised - validation, "validation")
    pay(earned - delegatee, "delegationFee")
    const renewal = {
      ...staker.renewal!,
      accruedValidation: accruedValidation + validation,
      accruedDelegatee: accruedDelegatee + delegatee,
    }
    this.begin({ ...staker, renewal, weight: weight + validation + delegatee, start: end, end: end + period })
  }

  /** Removes a staker, with or without its reward. */
  leave(txID: ID, isRewarded: boolean): void {
    const staker = this.stakers.get(txID)!
    const { owner, outputs, nodeID, subnetID, weight } = staker
    const assetID = this.assetOf(subnetID)
    const place = `${subnetID} ${nodeID}`
    const promised = staker.potentialReward ?? 0n
    let outputIndex = outputs
    this.add({ assetID, txID, outputIndex: outputIndex++, owner, amount: weight })
    const pay = (rewardKind: "validation" | "delegation" | "delegationFee", amount: bigint) => {
      if (amount === 0n) return
      this.facts.push({ kind: "rewarded", rewardKind, txID, outputIndex })
      this.add({ assetID, txID, outputIndex: outputIndex++, owner, amount })
    }
    if (!isRewarded) this.supplies.set(subnetID, this.supplies.get(subnetID)! - promised)
    if (staker.isValidator) {
      if (isRewarded) pay("validation", promised)
      pay("delegationFee", this.delegateeRewards.get(place) ?? 0n)
      this.delegateeRewards.delete(place)
      this.facts.push({ kind: "left", subnetID, nodeID, reason: isRewarded ? "rewarded" : "unrewarded" })
    } else if (isRewarded) {
      const { delegator, delegatee } = splitReward(promised, this.validatorAt(nodeID, subnetID)!.shares)
      pay("delegation", delegator)
      if (delegatee > 0n) this.delegateeRewards.set(place, (this.delegateeRewards.get(place) ?? 0n) + delegatee)
    }
    this.stakers.delete(txID)
  }

  #stop(isBeforeTxs: boolean, isDry: (validator: ModelL1Validator) => boolean): void {
    for (const [validationID, validator] of this.active) {
      if (!isDry(validator)) continue
      this.l1Validators.set(validationID, { ...validator, endAccumulatedFee: 0n })
      this.facts.push({ kind: "ranOut", validationID, isBeforeTxs })
    }
  }
}

function byStart(a: ModelStaker, b: ModelStaker): number {
  if (a.start !== b.start) return a.start < b.start ? -1 : 1
  if (a.order !== b.order) return a.order - b.order
  return a.txID < b.txID ? -1 : 1
}

export const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n)
