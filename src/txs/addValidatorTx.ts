import { list } from "../codec/list.js"
import { u32 } from "../codec/primitives.js"
import { transferableOutput } from "../types/output.js"
import { checkOwner, owner } from "../types/owners.js"
import { validator } from "../types/validator.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { checkAvaxStake, checkShares, checkWeight } from "./stake.js"

/** Stakes AVAX to validate the primary network. Until Durango. */
export const addValidatorTx = defineTx({
  kind: "AddValidatorTx",
  typeID: 12,
  fields: { ...baseFields, validator, stake: list(transferableOutput), rewardsOwner: owner, shares: u32 },

  check(tx, context) {
    checkShares(tx.shares)
    checkBase(tx, context)
    checkWeight(tx.validator)
    checkOwner(tx.rewardsOwner)
    checkAvaxStake(tx.stake, tx.validator.weight, context.avaxAssetID, "tx.stake_weight_mismatch")
  },
})
