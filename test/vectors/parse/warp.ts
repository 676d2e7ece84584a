import { decode, encode } from "../../../src/core/codec/decode.js"
import { equalBytes, toHex } from "../../../src/core/lib/bytes.js"
import { checkRegistration } from "../../../src/core/txs/registerL1ValidatorTx.js"
import { checkWeightMessage } from "../../../src/core/txs/setL1ValidatorWeightTx.js"
import { bitSetIndices } from "../../../src/core/types/warp/bitSet.js"
import { decodeJustification } from "../../../src/core/types/warp/justification.js"
import {
  decodeSignedMessage,
  messageIDOf,
  signedMessage,
  type UnsignedMessage,
  unsignedMessage,
  unsignedMessageBytes,
} from "../../../src/core/types/warp/message.js"
import { decodePayload, encodePayload } from "../../../src/core/types/warp/payload.js"
import {
  conversionData,
  conversionIDOf,
  decodePChainMessage,
  encodePChainMessage,
  initialValidationIDOf,
  type PChainMessage,
  registrationIDOf,
} from "../../../src/core/types/warp/pChainMessage.js"
import { type Facts, passes, type ReadFacts, refusalText, shortText } from "./facts.js"

export const readWarp: ReadFacts = (facts, bytes) => {
  const message = decodeSignedMessage(bytes)
  noteUnsigned(facts, message)
  const { signers, signature } = message.signature
  const signersError = refusalText(() => bitSetIndices(signers))
  Object.assign(facts, {
    signature: message.signature.kind,
    signature_bytes: toHex(signature),
    signers: signersError === "" ? bitSetIndices(signers).length : 0,
    signers_error: signersError,
    canonical: equalBytes(encode(signedMessage, message), bytes),
  })
}

/** The facts that name a Warp message. */
export const sourceOf = (message: UnsignedMessage): Facts => ({
  id: messageIDOf(message),
  network: message.networkID,
  chain: message.sourceChainID,
})

function noteUnsigned(facts: Facts, message: UnsignedMessage): void {
  const unsigned = shortText(unsignedMessageBytes(message))
  Object.assign(facts, sourceOf(message), { payload: shortText(message.payload), unsigned })
}

export const readUnsignedWarp: ReadFacts = (facts, bytes) => {
  const message = decode(unsignedMessage, bytes)
  noteUnsigned(facts, message)
  facts.canonical = equalBytes(unsignedMessageBytes(message), bytes)
}

export const readPayload: ReadFacts = (facts, bytes) => {
  const payload = decodePayload(bytes)
  facts.kind = payload.kind
  facts.canonical = equalBytes(encodePayload(payload), bytes)
  if (payload.kind === "Hash") facts.hash = payload.hash
  else Object.assign(facts, { source: shortText(payload.sourceAddress), payload: shortText(payload.payload) })
}

export const readRegistry: ReadFacts = (facts, bytes) => {
  const message = decodePChainMessage(bytes)
  facts.kind = message.kind
  facts.canonical = equalBytes(encodePChainMessage(message), bytes)
  Object.assign(facts, registryFacts(message))
}

function registryFacts(message: PChainMessage): Facts {
  switch (message.kind) {
    case "SubnetToL1Conversion":
      return { id: message.id }
    case "RegisterL1Validator":
      return {
        validation_id: registrationIDOf(message),
        verified: refusalText(() => checkRegistration(message)),
        subnet: message.subnetID,
        node_id: shortText(message.nodeID),
        expiry: `${message.expiry}`,
        weight: `${message.weight}`,
        owners: [message.remainingBalanceOwner.addresses.length, message.disableOwner.addresses.length],
      }
    case "L1ValidatorRegistration":
      return { validation_id: message.validationID, registered: message.registered }
    case "L1ValidatorWeight":
      return {
        validation_id: message.validationID,
        nonce: `${message.nonce}`,
        weight: `${message.weight}`,
        verified: refusalText(() => checkWeightMessage(message)),
      }
  }
}

export const readConversion: ReadFacts = (facts, bytes) => {
  const data = decode(conversionData, bytes)
  Object.assign(facts, {
    id: conversionIDOf(data),
    subnet: data.subnetID,
    validators: data.validators.length,
    canonical: equalBytes(encode(conversionData, data), bytes),
  })
}

export const readJustification: ReadFacts = (facts, bytes) => {
  const justification = decodeJustification(bytes)
  if (justification.kind === "conversion") {
    const { kind, subnetID, index } = justification
    Object.assign(facts, { kind, index, subnet: subnetID, validation_id: initialValidationIDOf(subnetID, index) })
    return
  }
  const read = () => decodePChainMessage(justification.message)
  facts.kind = "registration"
  facts.message = shortText(justification.message)
  if (passes(read)) {
    const registration = read()
    if (registration.kind === "RegisterL1Validator") facts.validation_id = registrationIDOf(registration)
  }
}
