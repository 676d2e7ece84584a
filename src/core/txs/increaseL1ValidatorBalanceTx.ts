import { u64 } from "../codec/primitives.js"
import { BASE_SIZE, dimensions } from "../rules/complexity.js"
import { endFeeAfterTopUp } from "../rules/l1.js"
import { putL1Validator } from "../state/l1Validators.js"
import { tables } from "../state/tables.js"
import { id, idText } from "../types/id.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { requirePaid } from "./spend.js"

/** Adds AVAX to the balance from which an L1 validator pays its continuous fee. ACP-77, from Etna. */
export const increaseL1ValidatorBalanceTx = defineTx({
  kind: "IncreaseL1ValidatorBalanceTx",
  typeID: 38,
  since: "etna",
  fields: { ...baseFields, validationID: id, balance: u64 },

  check(tx, context) {
    if (tx.balance === 0n) throw txError("tx.zero_balance")
    checkBase(tx, context)
  },

  intrinsic: dimensions(BASE_SIZE + 40, 1, 5),

  execute(tx, context) {
    requirePaid(context, tx, { burn: tx.balance })
    const validator = context.diff.get(tables.l1Validators, tx.validationID)
    if (!validator) throw txError("tx.unknown_l1_validator", { validationID: idText(tx.validationID), reference: "not found" })
    putL1Validator(context.diff, tx.validationID, {
      ...validator,
      endAccumulatedFee: endFeeAfterTopUp(context, validator, tx.balance),
    })
  },
})
