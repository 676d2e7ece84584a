import { byteArray, bytes, u64 } from "../codec/primitives.js"
import { isZero, toHex } from "../lib/bytes.js"
import { valueOrThrow } from "../lib/invalid.js"
import { BASE_SIZE, dimensions, POSSESSION_COMPUTE, warpComplexity } from "../rules/complexity.js"
import { endAccumulatedFeeFor } from "../rules/l1.js"
import { checkPossession } from "../rules/verifiable.js"
import { checkIsManager, openWarpMessage } from "../rules/warp.js"
import { putL1Validator } from "../state/l1Validators.js"
import { tables } from "../state/tables.js"
import { idText, NODE_ID_SIZE, type NodeID, PRIMARY_NETWORK_ID } from "../types/id.js"
import { checkOwner, type PChainOwner } from "../types/owners.js"
import { type RegisterL1Validator, registrationIDOf } from "../types/warp/pChainMessage.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { requirePaid } from "./spend.js"

/** Registers a validator of an L1, as a Warp message of its manager requests. ACP-77, from Etna. */
export const registerL1ValidatorTx = defineTx({
  kind: "RegisterL1ValidatorTx",
  typeID: 36,
  since: "etna",
  fields: { ...baseFields, balance: u64, proofOfPossession: byteArray(96), message: bytes },

  check: checkBase,

  warpMessage: (tx) => tx.message,

  intrinsic: dimensions(BASE_SIZE + 108, 5, 6, POSSESSION_COMPUTE),

  parts: (tx) => [warpComplexity(tx.message)],

  execute(tx, context) {
    requirePaid(context, tx, { burn: tx.balance, overflow: "overflow" })
    const opened = openWarpMessage(tx.message, "RegisterL1Validator")
    const { message } = opened
    checkRegistration(message)
    checkIsManager(context.diff, message.subnetID, opened)
    const validationID = registrationIDOf(message)
    checkExpiry(message.expiry, context.chainTime)
    const replay = { expiry: message.expiry, validationID }
    if (context.diff.get(tables.expiries, replay) !== undefined) {
      throw txError("tx.registration_used", { validationID: idText(validationID) })
    }
    checkPossession({ publicKey: message.blsPublicKey, proofOfPossession: tx.proofOfPossession }, context.blockContext)
    putL1Validator(context.diff, validationID, {
      subnetID: message.subnetID,
      nodeID: toHex(message.nodeID) as NodeID,
      publicKey: context.blockContext.crypto.bls.decompressKey(message.blsPublicKey),
      remainingBalanceOwner: message.remainingBalanceOwner,
      deactivationOwner: message.disableOwner,
      startTime: context.chainTime,
      weight: message.weight,
      minNonce: 0n,
      endAccumulatedFee: endAccumulatedFeeFor(context, tx.balance),
    })
    context.diff.put(tables.expiries, replay, null)
  },
})

/** The longest time from now to the expiry of a registration, seconds. */
const EXPIRY_WINDOW = 86_400n

/** Checks that a registration is used before it expires, and at most a day before that (Unix seconds). */
export function checkExpiry(expiry: bigint, chainTime: bigint): void {
  if (expiry <= chainTime) throw txError("tx.registration_expired", { expiry, chainTime })
  const ahead = expiry - chainTime
  if (ahead > EXPIRY_WINDOW) throw txError("tx.registration_too_early", { ahead, limit: EXPIRY_WINDOW })
}

/** Checks a registration without the state. */
export function checkRegistration(message: RegisterL1Validator): void {
  if (message.subnetID === PRIMARY_NETWORK_ID) throw txError("tx.subnet_is_primary_network", { reference: "invalid subnet ID" })
  if (message.weight === 0n) throw txError("tx.zero_l1_weight", { reference: "invalid weight" })
  const { length } = message.nodeID
  if (length !== NODE_ID_SIZE) {
    throw txError("tx.bad_node_id", {
      size: length,
      reference: `invalid node ID: invalid hash length: expected 20 bytes but got ${length}`,
    })
  }
  if (isZero(message.nodeID)) throw txError("tx.empty_node_id", { reference: "invalid node ID: empty nodeID is disallowed" })
  checkRegistrationOwner(message.remainingBalanceOwner)
  checkRegistrationOwner(message.disableOwner)
}

function checkRegistrationOwner(owner: PChainOwner): void {
  valueOrThrow(
    () => checkOwner(owner),
    ({ code, avalanchegoMessage: reason }) => txError("tx.bad_registration_owner", { code, reason }),
  )
}
