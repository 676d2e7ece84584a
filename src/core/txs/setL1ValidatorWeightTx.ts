import { bytes } from "../codec/primitives.js"
import { MAX64 } from "../lib/math64.js"
import { BASE_SIZE, dimensions, warpComplexity } from "../rules/complexity.js"
import { refundL1Balance } from "../rules/l1.js"
import { checkIsManager, openWarpMessage } from "../rules/warp.js"
import { DepartureReason } from "../state/facts.js"
import { l1WeightOf, putL1Validator } from "../state/l1Validators.js"
import { tables } from "../state/tables.js"
import { idText } from "../types/id.js"
import type { L1ValidatorWeight } from "../types/warp/pChainMessage.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { requirePaid } from "./spend.js"

/** Sets the weight of an L1's validator, as a Warp message of its manager requests; weight 0 removes it. ACP-77, from Etna. */
export const setL1ValidatorWeightTx = defineTx({
  kind: "SetL1ValidatorWeightTx",
  typeID: 37,
  since: "etna",
  fields: { ...baseFields, message: bytes },

  check: checkBase,

  warpMessage: (tx) => tx.message,

  intrinsic: dimensions(BASE_SIZE + 4, 3, 5),

  parts: (tx) => [warpComplexity(tx.message)],

  execute(tx, context) {
    requirePaid(context, tx)
    const opened = openWarpMessage(tx.message, "L1ValidatorWeight")
    const { validationID, nonce, weight } = opened.message
    checkWeightMessage(opened.message)
    const validator = context.diff.get(tables.l1Validators, validationID)
    if (!validator)
      throw txError("tx.unknown_l1_validator", {
        validationID: idText(validationID),
        reference: "could not load L1 validator: not found",
      })
    if (nonce < validator.minNonce) throw txError("tx.stale_nonce", { nonce, minNonce: validator.minNonce })
    checkIsManager(context.diff, validator.subnetID, opened)
    if (weight === 0n) {
      if (l1WeightOf(context.diff, validator.subnetID) === validator.weight) throw txError("tx.last_l1_validator")
      refundL1Balance(context, validator, tx.outputs.length)
      const departure = { kind: "departure", by: context.txID, stakerID: validationID } as const
      context.diff.record({ ...departure, reason: DepartureReason.removed })
    }
    // The largest nonce is only for removal, after which the next nonce is not read.
    const minNonce = BigInt.asUintN(64, nonce + 1n)
    putL1Validator(context.diff, validationID, { ...validator, minNonce, weight })
  },
})

/** Checks a change of weight without the state. */
export function checkWeightMessage({ nonce, weight }: Pick<L1ValidatorWeight, "nonce" | "weight">): void {
  if (nonce === MAX64 && weight !== 0n) throw txError("tx.nonce_reserved")
}
