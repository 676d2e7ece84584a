import { withStep } from "../lib/invalid.js"
import { add64 } from "../lib/math64.js"
import { PERCENT_DENOMINATOR as MILLIONTHS } from "../networks/params.js"
import { type ID, idText } from "../types/id.js"
import { checkOutput, checkOutputOrder, innerOutput, type TransferableOutput } from "../types/output.js"
import { checkOwner, type Owner } from "../types/owners.js"
import { txError } from "./errors.js"

/** The largest delegation fee: fees, rates and requirements are fractions of it. */
export const MAX_SHARES = Number(MILLIONTHS)

export function checkShares(shares: number): void {
  if (shares > MAX_SHARES) throw txError("tx.too_many_shares", { shares })
}

/** Checks the share of its rewards that an auto-renewed validator restakes. */
export function checkAutoCompoundShares(shares: number): void {
  if (shares > MAX_SHARES) throw txError("tx.too_many_restaked_shares", { shares })
}

export function checkWeight({ weight }: { weight: bigint }): void {
  if (weight === 0n) throw txError("tx.zero_weight")
}

/** Checks the weight of a staker, and the owner of its rewards. */
export function checkStaker({ validator, rewardsOwner }: { validator: { weight: bigint }; rewardsOwner: Owner }): void {
  withStep("failed to verify validator or rewards owner: ", () => {
    checkWeight(validator)
    checkOwner(rewardsOwner)
  })
}

/** Checks a stake in AVAX of the first two kinds of staker transactions: valid, sorted, with a sum equal to the weight. */
export function checkAvaxStake(stake: readonly TransferableOutput[], weight: bigint, avaxAssetID: ID, mismatch: Mismatch): void {
  let total = 0n
  // The second of the two kinds has its own message.
  const step = mismatch === "tx.delegation_weight_mismatch" ? "output verification failed: " : "failed to verify output: "
  for (const each of stake) {
    withStep(step, () => checkOutput(each))
    total = add64(total, innerOutput(each.output).amount)
    if (each.assetID !== avaxAssetID) throw txError("tx.stake_not_avax", { asset: idText(each.assetID) })
  }
  checkOutputOrder(stake)
  if (total !== weight) throw txError(mismatch, { weight, stake: total })
}

type Mismatch = "tx.stake_weight_mismatch" | "tx.delegation_weight_mismatch"

/** Checks a stake of any one asset: at least one output, all of one asset, valid, sorted, with a sum equal to the weight. */
export function checkStake(stake: readonly TransferableOutput[], weight: bigint, mismatch: Mismatch): void {
  withStep("failed to verify output: ", () => stake.forEach(checkOutput))
  const first = stake[0]!.assetID
  let total = innerOutput(stake[0]!.output).amount
  for (const each of stake.slice(1)) {
    total = add64(total, innerOutput(each.output).amount)
    if (each.assetID !== first) {
      throw txError("tx.several_stake_assets", { first: idText(first), other: idText(each.assetID) })
    }
  }
  checkOutputOrder(stake)
  if (total !== weight) throw txError(mismatch, { weight, stake: total })
}

/** Checks the stake of an auto-renewed validator: valid outputs of AVAX, sorted, with a sum that fits in 64 bits. */
export function checkAutoRenewedStake(stake: readonly TransferableOutput[], avaxAssetID: ID): void {
  withStep("verifying output: ", () => stake.forEach(checkOutput))
  for (const { assetID } of stake)
    if (assetID !== avaxAssetID) throw txError("tx.invalid_staked_asset", { asset: idText(assetID) })
  totalStake(stake)
  checkOutputOrder(stake)
}

/** Returns the sum of a stake. Throws `math.overflow`. */
export function totalStake(stake: readonly TransferableOutput[]): bigint {
  return stake.reduce((total, { output }) => add64(total, innerOutput(output).amount), 0n)
}
