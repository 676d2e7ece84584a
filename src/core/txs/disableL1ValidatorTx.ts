import { authorise } from "../rules/authorise.js"
import { authComplexity, BASE_SIZE, dimensions } from "../rules/complexity.js"
import { refundL1Balance } from "../rules/l1.js"
import { checkVerifiable } from "../rules/verifiable.js"
import { putL1Validator } from "../state/l1Validators.js"
import { tables } from "../state/tables.js"
import { id, idText } from "../types/id.js"
import { authPlace } from "../types/verifiable.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { requirePaid } from "./spend.js"

/** Disables an L1 validator and refunds the rest of its balance. ACP-77, from Etna. */
export const disableL1ValidatorTx = defineTx({
  kind: "DisableL1ValidatorTx",
  typeID: 39,
  since: "etna",
  fields: { ...baseFields, validationID: id, disableAuthorization: authPlace },

  check(tx, context) {
    checkBase(tx, context)
    checkVerifiable(tx.disableAuthorization, context)
  },

  intrinsic: dimensions(BASE_SIZE + 40, 1, 6),

  parts: (tx) => [authComplexity(tx.disableAuthorization)],

  execute(tx, context) {
    const validator = context.diff.get(tables.l1Validators, tx.validationID)
    if (!validator) {
      const reference = "could not load L1 validator: not found"
      throw txError("tx.unknown_l1_validator", { validationID: idText(tx.validationID), reference })
    }
    const credentials = authorise(context, validator.deactivationOwner, tx.disableAuthorization)
    requirePaid(context, tx, { credentials })
    if (validator.endAccumulatedFee === 0n) return
    refundL1Balance(context, validator, tx.outputs.length)
    putL1Validator(context.diff, tx.validationID, { ...validator, endAccumulatedFee: 0n })
  },
})
