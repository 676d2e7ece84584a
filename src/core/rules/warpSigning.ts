import { toHex } from "../lib/bytes.js"
import { valueOrThrow, valueOrUndefined } from "../lib/invalid.js"
import { MAX64 } from "../lib/math64.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { type ID, ID_SIZE, idText, P_CHAIN_ID } from "../types/id.js"
import { decodeJustification } from "../types/warp/justification.js"
import type { UnsignedMessage } from "../types/warp/message.js"
import { decodePayload } from "../types/warp/payload.js"
import {
  decodePChainMessage,
  initialValidationIDOf,
  type L1ValidatorWeight,
  type PChainMessage,
  registrationIDOf,
} from "../types/warp/pChainMessage.js"
import { chainTimeOf } from "./context.js"
import { rulesError } from "./errors.js"
import { signError } from "./signErrors.js"

type Code = keyof typeof signError.list

/** Reasons why the P-Chain does not sign, with AvalancheGo's names for them, in the order of the numbers (from 1) that peers receive. */
const reasons: readonly (readonly [Code, string])[] = [
  ["rules.sign_bad_call", "ErrFailedToParseWarpAddressedCall"],
  ["rules.sign_source_address", "ErrWarpAddressedCallHasSourceAddress"],
  ["rules.sign_bad_payload", "ErrFailedToParseWarpAddressedCallPayload"],
  ["rules.sign_payload_type", "ErrUnsupportedWarpAddressedCallPayloadType"],
  ["rules.sign_bad_justification", "ErrFailedToParseJustification"],
  ["rules.sign_no_conversion", "ErrConversionDoesNotExist"],
  ["rules.sign_conversion_mismatch", "ErrMismatchedConversionID"],
  ["rules.sign_justification_type", "ErrInvalidJustificationType"],
  ["rules.sign_bad_subnet", "ErrFailedToParseSubnetID"],
  ["rules.sign_validation_mismatch", "ErrMismatchedValidationID"],
  ["rules.sign_no_validation", "ErrValidationDoesNotExist"],
  ["rules.sign_validation_exists", "ErrValidationExists"],
  ["rules.sign_bad_registration", "ErrFailedToParseRegisterL1Validator"],
  ["rules.sign_could_register", "ErrValidationCouldBeRegistered"],
  ["rules.sign_impossible_nonce", "ErrImpossibleNonce"],
  ["rules.sign_wrong_nonce", "ErrWrongNonce"],
  ["rules.sign_wrong_weight", "ErrWrongWeight"],
]

/** Returns the number that peers receive as the reason for not signing a message, from our code or AvalancheGo's name for it. */
export function signingErrorNumber(name: string): number | undefined {
  const position = reasons.findIndex((reason) => reason.includes(name))
  return position < 0 ? undefined : position + 1
}

/**
 * Checks that the P-Chain may sign a message for a peer: its last accepted state must show that the message is true. ACP-77. Throws
 * `rules.sign_*`, and `rules.warp_network` or `rules.sign_foreign_chain` for a message of another network or chain.
 */
export function checkMaySign(view: View, networkID: number, message: UnsignedMessage, justification: Uint8Array): void {
  const call = parsed("rules.sign_bad_call", () => decodePayload(message.payload))
  if (call.kind !== "AddressedCall") {
    throw signError("rules.sign_bad_call", { reason: `wrong payload type: *payload.${call.kind}` })
  }
  if (call.sourceAddress.length > 0) throw signError("rules.sign_source_address")
  const payload = parsed("rules.sign_bad_payload", () => decodePChainMessage(call.payload))
  checkIsTrue(view, payload, justification)
  if (message.sourceChainID !== P_CHAIN_ID) throw signError("rules.sign_foreign_chain")
  if (message.networkID !== networkID) throw rulesError("rules.warp_network", { expected: networkID, got: message.networkID })
}

function checkIsTrue(view: View, payload: PChainMessage, justification: Uint8Array): void {
  if (payload.kind === "SubnetToL1Conversion") checkConversion(view, payload.id, justification)
  else if (payload.kind === "L1ValidatorWeight") checkWeight(view, payload)
  else if (payload.kind !== "L1ValidatorRegistration") throw signError("rules.sign_payload_type", { kind: payload.kind })
  else if (payload.registered) requireValidator(view, payload.validationID)
  else checkNotRegistered(view, payload.validationID, justification)
}

function checkConversion(view: View, conversionID: ID, justification: Uint8Array): void {
  if (justification.length !== ID_SIZE) {
    const reason = `invalid hash length: expected ${ID_SIZE} bytes but got ${justification.length}`
    throw signError("rules.sign_bad_justification", { reason })
  }
  const expected = requireConversion(view, toHex(justification) as ID)
  if (conversionID !== expected) {
    throw signError("rules.sign_conversion_mismatch", { expected: idText(expected), got: idText(conversionID) })
  }
}

/** Checks that a validator is not registered: it was part of a conversion and was removed, or can never be registered any more. */
function checkNotRegistered(view: View, validationID: ID, raw: Uint8Array): void {
  const justification = readJustification(raw)
  if (justification.kind === "conversion") {
    const { subnetID, index } = justification
    checkIsFor(validationID, initialValidationIDOf(subnetID, index))
    requireConversion(view, subnetID)
    requireNoValidator(view, validationID)
    return
  }
  const registration = parsed("rules.sign_bad_registration", () => decodePChainMessage(justification.message))
  if (registration.kind !== "RegisterL1Validator") {
    throw signError("rules.sign_bad_registration", { reason: `wrong payload type: *message.${registration.kind}` })
  }
  checkIsFor(validationID, registrationIDOf(registration))
  requireNoValidator(view, validationID)
  const { expiry } = registration
  if (expiry <= chainTimeOf(view)) return
  // A registration that was used once can never be used again, even before its expiry.
  if (view.get(tables.expiries, { expiry, validationID }) === undefined) {
    throw signError("rules.sign_could_register", { validationID: idText(validationID), expiry })
  }
}

/** Returns the L1 that the justification of a validator's removal names; `undefined` if it names none. */
export function l1OfJustification(raw: Uint8Array): ID | undefined {
  return valueOrUndefined(() => {
    const justification = decodeJustification(raw)
    if (justification.kind === "conversion") return justification.subnetID
    const registration = decodePChainMessage(justification.message)
    return registration.kind === "RegisterL1Validator" ? registration.subnetID : undefined
  })
}

function readJustification(raw: Uint8Array) {
  return valueOrThrow(
    () => decodeJustification(raw),
    ({ code, avalanchegoMessage: reason }) => {
      if (code === "types.empty_justification") return signError("rules.sign_justification_type")
      return signError(code === "types.justification_subnet" ? "rules.sign_bad_subnet" : "rules.sign_bad_justification", {
        reason,
      })
    },
  )
}

function checkWeight(view: View, { validationID, nonce, weight }: L1ValidatorWeight): void {
  // Only a removal has this nonce, and a removed validator has no weight to sign for.
  if (nonce === MAX64) throw signError("rules.sign_impossible_nonce")
  const validator = requireValidator(view, validationID)
  if (nonce + 1n !== validator.minNonce) throw signError("rules.sign_wrong_nonce", { nonce, minNonce: validator.minNonce })
  if (weight !== validator.weight) throw signError("rules.sign_wrong_weight", { got: weight, expected: validator.weight })
}

function requireValidator(view: View, validationID: ID) {
  const validator = view.get(tables.l1Validators, validationID)
  if (!validator) throw signError("rules.sign_no_validation", { validationID: idText(validationID) })
  return validator
}

function requireNoValidator(view: View, validationID: ID): void {
  if (view.get(tables.l1Validators, validationID)) {
    throw signError("rules.sign_validation_exists", { validationID: idText(validationID) })
  }
}

function requireConversion(view: View, subnetID: ID): ID {
  const conversion = view.get(tables.conversions, subnetID)
  if (!conversion) throw signError("rules.sign_no_conversion", { subnetID: idText(subnetID) })
  return conversion.conversionID
}

function checkIsFor(validationID: ID, justified: ID): void {
  if (validationID === justified) return
  throw signError("rules.sign_validation_mismatch", { validationID: idText(validationID), justified: idText(justified) })
}

function parsed<T>(code: Code, read: () => T): T {
  return valueOrThrow(read, ({ avalanchegoMessage: reason }) => signError(code, { reason }))
}
