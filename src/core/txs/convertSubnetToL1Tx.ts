import { list } from "../codec/list.js"
import { bytes } from "../codec/primitives.js"
import { compareBytes, isZero, toHex } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"
import { authComplexity, BASE_SIZE, conversionValidatorComplexity, dimensions } from "../rules/complexity.js"
import { rulesError } from "../rules/errors.js"
import { endAccumulatedFeeFor } from "../rules/l1.js"
import { authoriseForPermissionedSubnet } from "../rules/subnets.js"
import { checkPossession, checkVerifiable } from "../rules/verifiable.js"
import { putL1Validator } from "../state/l1Validators.js"
import { tables } from "../state/tables.js"
import type { NodeID } from "../types/id.js"
import { id, NODE_ID_SIZE } from "../types/id.js"
import { checkOwner } from "../types/owners.js"
import { type ConversionValidator, conversionValidator } from "../types/validator.js"
import { authPlace } from "../types/verifiable.js"
import { conversionIDOf, initialValidationIDOf } from "../types/warp/pChainMessage.js"
import { baseFields, type CheckContext, checkBase, checkIsSubnet } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { requirePaid } from "./spend.js"

const MAX_ADDRESS_SIZE = 4096

/** Converts a permissioned subnet to an L1, which from then on manages its validators itself. ACP-77, from Etna. */
export const convertSubnetToL1Tx = defineTx({
  kind: "ConvertSubnetToL1Tx",
  typeID: 35,
  since: "etna",
  fields: {
    ...baseFields,
    subnetID: id,
    chainID: id,
    address: bytes,
    validators: list(conversionValidator),
    subnetAuthorization: authPlace,
  },

  check(tx, context) {
    checkIsSubnet(tx.subnetID, "cannot convert a permissionless subnet")
    if (tx.address.length > MAX_ADDRESS_SIZE) throw txError("tx.manager_address_too_long", { size: tx.address.length })
    if (tx.validators.length === 0) throw txError("tx.no_validators")
    for (let i = 1; i < tx.validators.length; i++) {
      if (compareBytes(tx.validators[i - 1]!.nodeID, tx.validators[i]!.nodeID) >= 0) throw txError("tx.validators_unsorted")
    }
    checkBase(tx, context)
    for (const validator of tx.validators) checkValidator(validator, context)
    checkVerifiable(tx.subnetAuthorization, context)
  },

  intrinsic: dimensions(BASE_SIZE + 80, 3, 2),

  parts: (tx) => [
    dimensions(tx.address.length),
    ...tx.validators.map(conversionValidatorComplexity),
    authComplexity(tx.subnetAuthorization),
  ],

  execute(tx, context) {
    const { subnetID, chainID, address } = tx
    const credentials = authoriseForPermissionedSubnet(context, subnetID, tx.subnetAuthorization)
    for (const [i, validator] of tx.validators.entries()) {
      putL1Validator(context.diff, initialValidationIDOf(subnetID, i), {
        subnetID,
        nodeID: toHex(validator.nodeID) as NodeID,
        publicKey: context.blockContext.crypto.bls.decompressKey(validator.signer.publicKey),
        remainingBalanceOwner: validator.remainingBalanceOwner,
        deactivationOwner: validator.deactivationOwner,
        startTime: context.chainTime,
        weight: validator.weight,
        minNonce: 0n,
        endAccumulatedFee: endAccumulatedFeeFor(context, validator.balance),
      })
    }
    const burn = tx.validators.reduce((sum, { balance }) => sum + balance, 0n)
    if (burn > MAX64) {
      const reference = "getting utxos failed to add validator balance: overflow"
      throw rulesError("rules.burn_overflow", { burn, reference }).withStep("getting utxos ")
    }
    requirePaid(context, tx, { credentials, burn, overflow: "overflow" })
    const validators = tx.validators.map(({ nodeID, signer, weight }) => ({ nodeID, blsPublicKey: signer.publicKey, weight }))
    const conversionID = conversionIDOf({ subnetID, managerChainID: chainID, managerAddress: address, validators })
    context.diff.put(tables.conversions, subnetID, { conversionID, chainID, address })
  },
})

function checkValidator(validator: ConversionValidator, context: CheckContext): void {
  const { nodeID } = validator
  if (validator.weight === 0n) throw txError("tx.zero_l1_weight")
  if (nodeID.length !== NODE_ID_SIZE) throw txError("tx.bad_node_id", { size: nodeID.length })
  if (isZero(nodeID)) throw txError("tx.empty_node_id")
  checkPossession(validator.signer, context)
  checkOwner(validator.remainingBalanceOwner)
  checkOwner(validator.deactivationOwner)
}
