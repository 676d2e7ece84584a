import { list } from "../codec/list.js"
import { id } from "../types/id.js"
import { transferableOutput } from "../types/output.js"
import { checkOwner, owner } from "../types/owners.js"
import { validator } from "../types/validator.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { checkStake, checkWeight } from "./stake.js"

/** Stakes with a validator of the primary network or of a transformed subnet. From Banff. */
export const addPermissionlessDelegatorTx = defineTx({
  kind: "AddPermissionlessDelegatorTx",
  typeID: 26,
  fields: { ...baseFields, validator, subnetID: id, stake: list(transferableOutput), rewardsOwner: owner },

  check(tx, context) {
    if (tx.stake.length === 0) throw txError("tx.no_stake")
    checkBase(tx, context)
    checkWeight(tx.validator)
    checkOwner(tx.rewardsOwner)
    checkStake(tx.stake, tx.validator.weight, "tx.delegation_weight_mismatch")
  },
})
