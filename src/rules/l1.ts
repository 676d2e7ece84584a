import { add64, sub64 } from "../lib/math64.js"
import { activeL1Count } from "../state/l1Validators.js"
import type { L1Validator } from "../state/tables.js"
import { accruedFeesOf } from "./chainTime.js"
import { rulesError } from "./errors.js"
import type { Run } from "./run.js"
import { addUtxo } from "./spend.js"

/** The network bears only so many active L1 validators. Throws `rules.too_many_active`. */
export function requireRoomForL1({ diff, env }: Run): void {
  const { capacity } = env.params.validatorFee
  if (activeL1Count(diff) >= capacity) throw rulesError("rules.too_many_active", { capacity })
}

/** The total of fees at which a new validator with this balance (nAVAX) runs dry; zero, and so inactive, without balance. */
export function endAccumulatedFeeFor(run: Run, balance: bigint): bigint {
  if (balance === 0n) return 0n
  requireRoomForL1(run)
  return add64(balance, accruedFeesOf(run.diff))
}

/** Gives the rest of an active validator's balance back, as a UTXO of this transaction. */
export function refundL1Balance(run: Run, validator: L1Validator, outputIndex: number): void {
  const amount = sub64(validator.endAccumulatedFee, accruedFeesOf(run.diff))
  if (amount === 0n) throw new Error("a validator without balance is still active")
  const { threshold, addresses } = validator.remainingBalanceOwner
  const output = { kind: "TransferOutput" as const, amount, locktime: 0n, threshold, addresses }
  addUtxo(run, { txID: run.txID, outputIndex, assetID: run.env.avaxAssetID, output })
}
