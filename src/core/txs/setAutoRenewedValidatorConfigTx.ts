import { u32, u64 } from "../codec/primitives.js"
import { authorise } from "../rules/authorise.js"
import { authComplexity, BASE_SIZE, dimensions } from "../rules/complexity.js"
import type { TxContext } from "../rules/context.js"
import { checkPeriod } from "../rules/staking.js"
import { checkVerifiable } from "../rules/verifiable.js"
import type { ValidatorKey } from "../state/staker.js"
import { tables } from "../state/tables.js"
import { EMPTY_ID, type ID, id, idText, nodeIDText } from "../types/id.js"
import type { OutputOwners } from "../types/owners.js"
import { authPlace } from "../types/verifiable.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { FLOW_CHECK, requirePaid } from "./spend.js"
import { checkAutoCompoundShares } from "./stake.js"

/** Changes the restaked share of an auto-renewed validator and the length of its next cycle, or stops it. ACP-236, from Helicon. */
export const setAutoRenewedValidatorConfigTx = defineTx({
  kind: "SetAutoRenewedValidatorConfigTx",
  typeID: 41,
  since: "helicon",
  fields: {
    ...baseFields,
    /** The AddAutoRenewedValidatorTx that created the validator. */
    txID: id,
    auth: authPlace,
    autoCompoundRewardShares: u32,
    /** The length of the next cycle in seconds; 0 if the validator leaves at the end of the present one. */
    period: u64,
  },

  check(tx, context) {
    if (tx.txID === EMPTY_ID) throw txError("tx.missing_tx_id")
    checkAutoCompoundShares(tx.autoCompoundRewardShares)
    checkBase(tx, context)
    checkVerifiable(tx.auth, context)
  },

  intrinsic: dimensions(BASE_SIZE + 52, 1, 1),

  parts: (tx) => [authComplexity(tx.auth)],

  execute(tx, context) {
    const { authority, ...validator } = autoRenewedValidator(context, tx.txID)
    if (tx.period > 0n) checkPeriod(tx.period, context.blockContext)
    const credentials = authorise(context, authority, tx.auth)
    requirePaid(context, tx, { credentials, step: FLOW_CHECK, feeStep: "calculating fee: " })
    const renewal = context.diff.get(tables.renewals, validator)
    if (!renewal) throw new Error(`the auto-renewed validator ${tx.txID} has no row of its renewal`)
    const { autoCompoundRewardShares, period: nextPeriod } = tx
    context.diff.put(tables.renewals, validator, { ...renewal, autoCompoundRewardShares, nextPeriod })
  },
})

/** Returns the present validator of an AddAutoRenewedValidatorTx, and its authority. Throws `tx.*` if there is none. */
function autoRenewedValidator(context: TxContext, txID: ID): ValidatorKey & { readonly authority: OutputOwners } {
  const accepted = context.accepted(txID)
  if (!accepted) throw txError("tx.unknown_staker_tx", { txID: idText(txID) })
  const { kind, staker } = accepted
  if (!staker?.authority) throw txError("tx.invalid_staker_tx_type", { txID: idText(txID), kind })
  const { subnetID, nodeID, authority } = staker
  const validator = context.diff.get(tables.currentValidators, { subnetID, nodeID })
  if (!validator) throw txError("tx.validator_gone", { nodeID: nodeIDText(nodeID) })
  if (validator.txID !== txID) throw txError("tx.wrong_validator", { expected: idText(validator.txID), got: idText(txID) })
  return { subnetID, nodeID, authority }
}
