import { add64 } from "../lib/math64.js"
import { activeL1Count } from "../state/l1Validators.js"
import type { L1Validator } from "../state/tables.js"
import { accruedFeesOf } from "./chainTime.js"
import type { TxContext } from "./context.js"
import { rulesError } from "./errors.js"
import { addUtxo } from "./spend.js"

/** Returns the total of fees at which the balance (nAVAX) of a new validator is used up; zero, which means inactive, without a balance. */
export function endAccumulatedFeeFor({ diff, blockContext }: TxContext, balance: bigint): bigint {
  if (balance === 0n) return 0n
  const { capacity } = blockContext.params.validatorFee
  if (activeL1Count(diff) >= capacity) throw rulesError("rules.too_many_active", { capacity })
  return add64(balance, accruedFeesOf(diff))
}

/** Returns the total of fees at which a validator's balance is used up after a top-up (nAVAX). An inactive one pays from now on. */
export function endFeeAfterTopUp(context: TxContext, { endAccumulatedFee }: L1Validator, balance: bigint): bigint {
  return endAccumulatedFee === 0n ? endAccumulatedFeeFor(context, balance) : add64(endAccumulatedFee, balance)
}

/** Refunds the rest of a validator's balance as a UTXO of this transaction. An inactive one has none. */
export function refundL1Balance(context: TxContext, validator: L1Validator, outputIndex: number): void {
  const { endAccumulatedFee } = validator
  if (endAccumulatedFee === 0n) return
  const accruedFees = accruedFeesOf(context.diff)
  if (endAccumulatedFee <= accruedFees) throw rulesError("rules.l1_balance_spent", { endAccumulatedFee, accruedFees })
  const amount = endAccumulatedFee - accruedFees
  const { threshold, addresses } = validator.remainingBalanceOwner
  const output = { kind: "TransferOutput" as const, amount, locktime: 0n, threshold, addresses }
  const refund = { txID: context.txID, outputIndex, assetID: context.blockContext.avaxAssetID, output }
  addUtxo(context, refund)
  context.diff.record({ kind: "refund", by: context.txID, utxo: refund })
}
