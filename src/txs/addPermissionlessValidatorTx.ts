import { list } from "../codec/list.js"
import { u32 } from "../codec/primitives.js"
import { EMPTY_NODE_ID, id, PRIMARY_NETWORK_ID } from "../types/id.js"
import { transferableOutput } from "../types/output.js"
import { checkOwner, owner } from "../types/owners.js"
import { signer } from "../types/signer.js"
import { validator } from "../types/validator.js"
import { baseFields, checkBase } from "./base.js"
import { checkPossession } from "./checkPossession.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { checkShares, checkStake, checkWeight } from "./stake.js"

/** Stakes to validate the primary network, or a transformed subnet. From Banff. */
export const addPermissionlessValidatorTx = defineTx({
  kind: "AddPermissionlessValidatorTx",
  typeID: 25,
  fields: {
    ...baseFields,
    validator,
    subnetID: id,
    signer,
    stake: list(transferableOutput),
    validationRewardsOwner: owner,
    delegationRewardsOwner: owner,
    shares: u32,
  },

  check(tx, context) {
    if (tx.validator.nodeID === EMPTY_NODE_ID) throw txError("tx.empty_node_id")
    if (tx.stake.length === 0) throw txError("tx.no_stake")
    checkShares(tx.shares)
    checkBase(tx, context)
    checkWeight(tx.validator)
    if (tx.signer.kind === "ProofOfPossession") checkPossession(tx.signer, context)
    checkOwner(tx.validationRewardsOwner)
    checkOwner(tx.delegationRewardsOwner)
    const hasKey = tx.signer.kind === "ProofOfPossession"
    const isPrimaryNetwork = tx.subnetID === PRIMARY_NETWORK_ID
    if (hasKey !== isPrimaryNetwork) throw txError("tx.wrong_signer", { hasKey, isPrimaryNetwork })
    checkStake(tx.stake, tx.validator.weight, "tx.stake_weight_mismatch")
  },
})
