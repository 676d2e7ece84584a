import { decode, encode } from "../../../src/core/codec/decode.js"
import { toJson } from "../../../src/core/codec/valueSink.js"
import { toHex } from "../../../src/core/lib/bytes.js"
import { hexDigits } from "../../../src/core/types/hexText.js"
import { idText, parseID } from "../../../src/core/types/id.js"
import { bitSetIndices, bitSetOf } from "../../../src/core/types/warp/bitSet.js"
import { decodeJustification, encodeJustification } from "../../../src/core/types/warp/justification.js"
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
  pChainMessage,
  registrationIDOf,
} from "../../../src/core/types/warp/pChainMessage.js"
import type { Check, Entry, Group, Verdict } from "../group.js"
import { bytesOf } from "../values.js"

const checkPayload: Check = (entry, verdict) => {
  const payload = decodePayload(bytesOf(entry.bytes))
  verdict.equal("bytes", encodePayload(payload), entry.bytes)
  comparePayload(payload, entry, verdict)
}

function comparePayload(payload: ReturnType<typeof decodePayload>, entry: Entry, verdict: Verdict): void {
  verdict.equal("payload_type", payload.kind, entry.payload_type)
  const call = payload.kind === "AddressedCall" ? payload : undefined
  verdict.equal("source_address", call?.sourceAddress, entry.source_address)
  verdict.equal("call_payload", call?.payload, entry.call_payload)
  verdict.equal("hash_hex", payload.kind === "Hash" ? payload.hash : undefined, entry.hash_hex)
}

function compareMessage(raw: Uint8Array, entry: Entry, verdict: Verdict): void {
  const message = decodePChainMessage(raw)
  verdict.equal("bytes of the message", encodePChainMessage(message), raw)
  verdict.equal("message_type", message.kind, entry.message_type)
  verdict.equal("message", toJson(pChainMessage, message, {}), entry.message)
  const validationID = message.kind === "RegisterL1Validator" ? registrationIDOf(message) : undefined
  if (entry.validation_id !== undefined) {
    verdict.equal("validation_id", validationID && idText(validationID), entry.validation_id)
  }
  if (entry.validation_id_hex !== undefined) verdict.equal("validation_id_hex", validationID, entry.validation_id_hex)
}

const checkMessage: Check = (entry, verdict) => compareMessage(bytesOf(entry.bytes), entry, verdict)

/** A message from the outside in: its source chain, its payload, the call in it, and the message of the call to the P-Chain. */
function compareEnvelope(message: UnsignedMessage, entry: Entry, verdict: Verdict): void {
  verdict.equal("network_id", message.networkID, entry.network_id)
  verdict.equal("source_chain_id", idText(message.sourceChainID), entry.source_chain_id)
  verdict.equal("payload", message.payload, entry.payload)
  verdict.equal("message_id_hex", messageIDOf(message), entry.message_id_hex)
  verdict.equal("unsigned_length", unsignedMessageBytes(message).length, entry.unsigned_length)
  const payload = decodePayload(message.payload)
  comparePayload(payload, entry, verdict)
  if (entry.message_type !== undefined && payload.kind === "AddressedCall") compareMessage(payload.payload, entry, verdict)
}

/** warp-messages.json: messages, payloads, and their parts. */
export const warpMessages: Group = {
  "signed message"(entry, verdict) {
    const message = decodeSignedMessage(bytesOf(entry.bytes))
    const { signers, signature } = message.signature
    verdict.equal("bytes", encode(signedMessage, message), entry.bytes)
    compareEnvelope(message, entry, verdict)
    verdict.equal("signers_bitset", signers, entry.signers_bitset)
    verdict.equal("signer_indices", bitSetIndices(signers), entry.signer_indices)
    verdict.equal("bit set of signer_indices", bitSetOf(entry.signer_indices.map(Number)), entry.signers_bitset)
    verdict.equal("signature", signature, entry.signature)
    // Only the chain knows which transaction used it; the message shows only that an ID names it.
    const usedIn = entry.used_in_fuji_tx
    if (usedIn !== undefined) verdict.equal("used_in_fuji_tx", idText(parseID(usedIn)), usedIn)
  },
  "unsigned message"(entry, verdict) {
    const message = decode(unsignedMessage, bytesOf(entry.bytes))
    verdict.equal("bytes", encode(unsignedMessage, message), entry.bytes)
    compareEnvelope(message, entry, verdict)
  },
  "payload AddressedCall": checkPayload,
  "payload Hash": checkPayload,
  "message SubnetToL1Conversion": checkMessage,
  "message RegisterL1Validator": checkMessage,
  "message L1ValidatorRegistration": checkMessage,
  "message L1ValidatorWeight": checkMessage,
  "conversion data"(entry, verdict) {
    const data = decode(conversionData, bytesOf(entry.bytes))
    verdict.equal("bytes", encode(conversionData, data), entry.bytes)
    verdict.equal("subnet_id", idText(data.subnetID), entry.subnet_id)
    verdict.equal("manager_chain_id", idText(data.managerChainID), entry.manager_chain_id)
    verdict.equal("manager_address", `0x${toHex(data.managerAddress)}`, entry.manager_address)
    const validators = data.validators.map(({ nodeID, blsPublicKey, weight }) => ({
      node_id_hex: nodeID,
      bls_public_key: blsPublicKey,
      weight,
    }))
    verdict.equal("validators", validators, entry.validators)
    verdict.equal("conversion_id", idText(conversionIDOf(data)), entry.conversion_id)
    verdict.equal("conversion_id_hex", conversionIDOf(data), entry.conversion_id_hex)
  },
  justification(entry, verdict) {
    const expected = { kind: "conversion", subnetID: parseID(entry.subnet_id), index: Number(entry.index) } as const
    verdict.equal("justification", decodeJustification(bytesOf(entry.bytes)), expected)
    verdict.equal("bytes", encodeJustification(expected), entry.bytes)
  },
  invalid(entry, verdict) {
    if (entry.signers_bitset !== undefined) {
      verdict.refuses(`bit set ${entry.signers_bitset} (${entry.error})`, () => bitSetIndices(bytesOf(entry.signers_bitset)))
    }
    if (entry.bytes === undefined) return
    const bytes = hexDigits(entry.bytes)
    // The entry does not name the kind that it fails to be: every reader must refuse it.
    const readers = {
      decodeSignedMessage,
      decodePayload,
      decodePChainMessage,
      unsigned: (raw: Uint8Array) => decode(unsignedMessage, raw),
    }
    for (const [name, read] of Object.entries(readers)) verdict.refuses(`${name} (${entry.error})`, () => read(bytes))
  },
}
