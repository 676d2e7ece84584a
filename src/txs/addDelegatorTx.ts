import { list } from "../codec/list.js"
import { transferableOutput } from "../types/output.js"
import { checkOwner, owner } from "../types/owners.js"
import { validator } from "../types/validator.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { checkAvaxStake, checkWeight } from "./stake.js"

/** Stakes AVAX with a validator of the primary network. Until Durango. */
export const addDelegatorTx = defineTx({
  kind: "AddDelegatorTx",
  typeID: 14,
  fields: { ...baseFields, validator, stake: list(transferableOutput), rewardsOwner: owner },

  check(tx, context) {
    checkBase(tx, context)
    checkWeight(tx.validator)
    checkOwner(tx.rewardsOwner)
    checkAvaxStake(tx.stake, tx.validator.weight, context.avaxAssetID, "tx.delegation_weight_mismatch")
  },
})
