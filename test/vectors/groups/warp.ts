import { encode } from "../../../src/codec/decode.js"
import { bls } from "../../../src/crypto/backends.js"
import type { Address } from "../../../src/types/address.js"
import { idText } from "../../../src/types/id.js"
import type { PChainOwner } from "../../../src/types/owners.js"
import { prefixedID, utxoID } from "../../../src/types/utxo.js"
import { bitSetIndices } from "../../../src/types/warp/bitSet.js"
import {
  conversionData,
  conversionIDOf,
  decodePChainMessage,
  encodePChainMessage,
  initialValidationIDOf,
  type RegisterL1Validator,
  registrationIDOf,
} from "../../../src/types/warp/pChainMessage.js"
import type { Entry, Group } from "../group.js"
import { bytesOf } from "../values.js"

/** warp.json: what follows from bytes alone. */
export const warp: Group = {
  numSigners({ input, expected }, verdict) {
    const count = () => bitSetIndices(bytesOf(input.signers)).length
    if (expected.error !== undefined) verdict.refuses(`signers (${expected.error})`, count)
    else verdict.equal("count", count(), expected.count)
  },
  conversionID({ input, expected }, verdict) {
    const data = {
      subnetID: input.subnetID,
      managerChainID: input.managerChainID,
      managerAddress: bytesOf(input.managerAddress),
      validators: input.validators.map((each: Entry) => ({
        nodeID: bytesOf(each.nodeID),
        blsPublicKey: bytesOf(each.blsPublicKey),
        weight: BigInt(each.weight),
      })),
    }
    verdict.equal("bytes", encode(conversionData, data), expected.bytes)
    verdict.equal("conversionID", conversionIDOf(data), expected.conversionID)
    verdict.equal("conversionIDCB58", idText(conversionIDOf(data)), expected.conversionIDCB58)
  },
  registrationValidationID({ input, expected }, verdict) {
    const message: RegisterL1Validator = {
      kind: "RegisterL1Validator",
      subnetID: input.subnetID,
      nodeID: bytesOf(input.nodeID),
      blsPublicKey: bytesOf(input.blsPublicKey),
      expiry: BigInt(input.expiry),
      remainingBalanceOwner: ownerOf(input.remainingBalanceOwner),
      disableOwner: ownerOf(input.disableOwner),
      weight: BigInt(input.weight),
    }
    verdict.equal("blsPublicKey", bls().publicKey(bytesOf(input.blsSecretKey)), input.blsPublicKey)
    verdict.equal("message", encodePChainMessage(message), expected.message)
    verdict.equal("validationID", registrationIDOf(message), expected.validationID)
    verdict.equal("validationIDCB58", idText(registrationIDOf(message)), expected.validationIDCB58)
  },
  conversionValidationID({ input, expected }, verdict) {
    const validationID = initialValidationIDOf(input.subnetID, Number(input.index))
    verdict.equal("validationID", validationID, expected.validationID)
    verdict.equal("validationIDCB58", idText(validationID), expected.validationIDCB58)
  },
  prefixedID({ input, expected }, verdict) {
    const id = prefixedID(BigInt(input.prefix), input.id)
    verdict.equal("id", id, expected.id)
    verdict.equal("cb58", idText(id), expected.cb58)
  },
  utxoID({ input, expected }, verdict) {
    verdict.equal("utxoID", utxoID(input.txID, Number(input.outputIndex)), expected.utxoID)
  },
  payload({ input, expected }, verdict) {
    const read = () => decodePChainMessage(bytesOf(input.bytes))
    if (expected.error !== undefined) return verdict.refuses(`bytes (${expected.error})`, read)
    const { kind, ...members } = read()
    const got: Record<string, unknown> = { type: kind, ...members }
    for (const [name, value] of Object.entries(expected)) verdict.equal(name, got[name], value)
    verdict.equal("bytes", encodePChainMessage(read()), input.bytes)
  },
}

function ownerOf({ threshold, addresses }: Entry): PChainOwner {
  return { threshold: Number(threshold), addresses: addresses as Address[] }
}
