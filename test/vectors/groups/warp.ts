import { encode } from "../../../src/core/codec/decode.js"
import { Invalid } from "../../../src/core/lib/invalid.js"
import { LOCAL_ID } from "../../../src/core/networks/names.js"
import { canonicalSet } from "../../../src/core/rules/validatorSet.js"
import { checkQuorum, signersOf, WARP_QUORUM, weightOf } from "../../../src/core/rules/warp.js"
import { checkMaySign, signingErrorNumber } from "../../../src/core/rules/warpSigning.js"
import { type L1Validator, tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { checkExpiry, checkRegistration } from "../../../src/core/txs/registerL1ValidatorTx.js"
import { checkWeightMessage } from "../../../src/core/txs/setL1ValidatorWeightTx.js"
import type { Address } from "../../../src/core/types/address.js"
import { idText, P_CHAIN_ID } from "../../../src/core/types/id.js"
import type { PChainOwner } from "../../../src/core/types/owners.js"
import { prefixedID, utxoID } from "../../../src/core/types/utxo.js"
import { bitSetIndices } from "../../../src/core/types/warp/bitSet.js"
import { encodeJustification } from "../../../src/core/types/warp/justification.js"
import { encodePayload } from "../../../src/core/types/warp/payload.js"
import {
  conversionData,
  conversionIDOf,
  decodePChainMessage,
  encodePChainMessage,
  initialValidationIDOf,
  type PChainMessage,
  type RegisterL1Validator,
  registrationIDOf,
} from "../../../src/core/types/warp/pChainMessage.js"
import { bls } from "../../../src/platform/backends.js"
import { given, timeRow } from "../../fixtures/state.js"
import { idOfByte, nodeIDOfByte } from "../../fixtures/txs.js"
import type { Entry, Group, Verdict } from "../group.js"
import { bytesOf } from "../values.js"

export const warp: Group = {
  quorum67({ input, expected }, verdict) {
    const check = () => checkQuorum(BigInt(input.signedWeight), BigInt(input.totalWeight), WARP_QUORUM)
    if (expected.sufficient) check()
    else verdict.refuses("quorum", check)
  },
  weights({ input, expected }, verdict) {
    const signers = input.keyWeights.map((weight: Entry, i: number) => ({
      publicKey: Uint8Array.of(i),
      weight: BigInt(weight),
      nodeIDs: [],
    }))
    const signedWeight = () => {
      const signed = weightOf(signersOf(bytesOf(input.signers), { signers }))
      const quorum = { numerator: BigInt(input.quorumNum), denominator: BigInt(input.quorumDen) }
      checkQuorum(signed, BigInt(input.totalWeight), quorum)
      return signed
    }
    if (expected.error !== undefined) verdict.refuses(`signers (${expected.error})`, signedWeight)
    else verdict.equal("signedWeight", signedWeight(), expected.signedWeight)
  },
  canonicalSet({ input, expected }, verdict) {
    const members = input.validatorSet.map(({ nodeID, publicKey, weight }: Entry) => [
      nodeID,
      { weight: BigInt(weight), publicKey: publicKey === null ? undefined : bytesOf(publicKey) },
    ])
    const set = () => canonicalSet(members)
    if (expected.error !== undefined) return verdict.refuses(`set (${expected.error})`, set)
    const { signers, totalWeight } = set()
    const inOrder = (nodeIDs: readonly string[]) => [...nodeIDs].sort()
    verdict.equal(
      "validators",
      signers.map((each) => ({ ...each, nodeIDs: inOrder(each.nodeIDs) })),
      expected.validators.map((each: Entry) => ({ ...each, nodeIDs: inOrder(each.nodeIDs) })),
    )
    verdict.equal("totalWeight", totalWeight, expected.totalWeight)
  },
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
  registerVerify({ input, expected }, verdict) {
    const check = () => checkRegistration(registrationOf(input))
    if (expected.valid !== true) verdict.refuses(`registration (${expected.error})`, check)
    else check()
  },
  weightVerify({ input, expected }, verdict) {
    const check = () => checkWeightMessage({ nonce: BigInt(input.nonce), weight: BigInt(input.weight) })
    if (expected.valid !== true) verdict.refuses(`weight (${expected.error})`, check)
    else check()
  },
  registerExpiryWindow({ input, expected }, verdict) {
    const check = () => checkExpiry(BigInt(input.expiry), BigInt(input.chainTime))
    if (expected.valid !== true) verdict.refuses(`expiry (${expected.error})`, check)
    else check()
  },
  signErrorCode: ({ input, expected }, verdict) => verdict.equal("code", signingErrorNumber(input.name), expected.code),
  signL1ValidatorWeight({ input, expected }, verdict) {
    const state = given(timeRow(0n))
    if (input.validator) {
      const { minNonce, weight } = input.validator
      const validator = { ...l1Validator, minNonce: BigInt(minNonce), weight: BigInt(weight) }
      state.put(tables.l1Validators, VALIDATION, validator)
    }
    const message = { validationID: VALIDATION, nonce: BigInt(input.nonce), weight: BigInt(input.weight) }
    compareSigning(verdict, expected, state, { kind: "L1ValidatorWeight", ...message }, new Uint8Array(0))
  },
  signConversion({ input, expected }, verdict) {
    const state = given(timeRow(0n))
    const justification = new Uint8Array(Number(input.justificationLength)).fill(0x5b)
    const conversion = { conversionID: idOfByte(0xc0), chainID: idOfByte(0xc1), address: new Uint8Array(0) }
    if (input.converted) state.put(tables.conversions, SUBNET, conversion)
    const id = input.idMatches ? conversion.conversionID : idOfByte(0xc2)
    compareSigning(verdict, expected, state, { kind: "SubnetToL1Conversion", id }, justification)
  },
  signNotRegistered({ input, expected }, verdict) {
    const registration = { ...registrationOf(input), expiry: BigInt(input.expiry) }
    const validationID = registrationIDOf(registration)
    const state = given(timeRow(BigInt(input.chainTime)))
    if (input.exists) state.put(tables.l1Validators, validationID, l1Validator)
    if (input.hasExpiryEntry) state.put(tables.expiries, { expiry: registration.expiry, validationID }, null)
    const justification = encodeJustification({ kind: "registration", message: encodePChainMessage(registration) })
    const message: PChainMessage = { kind: "L1ValidatorRegistration", validationID, registered: false }
    compareSigning(verdict, expected, state, message, justification)
  },
}

const VALIDATION = idOfByte(0xa1)
const SUBNET = idOfByte(0x5b)

const l1Validator: L1Validator = {
  subnetID: SUBNET,
  nodeID: nodeIDOfByte(1),
  publicKey: new Uint8Array(96),
  remainingBalanceOwner: { threshold: 0, addresses: [] },
  deactivationOwner: { threshold: 0, addresses: [] },
  startTime: 0n,
  weight: 1n,
  minNonce: 0n,
  endAccumulatedFee: 0n,
}

/** A registration with the members that a vector names, the rest as in any valid one. */
function registrationOf({ subnetID, nodeID, weight, remainingBalanceOwner, disableOwner }: Entry): RegisterL1Validator {
  const nobody = { threshold: 0, addresses: [] }
  return {
    kind: "RegisterL1Validator",
    subnetID: subnetID ?? SUBNET,
    nodeID: bytesOf(nodeID ?? nodeIDOfByte(6)),
    blsPublicKey: new Uint8Array(48),
    expiry: 0n,
    remainingBalanceOwner: remainingBalanceOwner ? ownerOf(remainingBalanceOwner) : nobody,
    disableOwner: disableOwner ? ownerOf(disableOwner) : nobody,
    weight: BigInt(weight ?? 1),
  }
}

/** Returns whether the P-Chain signs one of its messages, and otherwise AvalancheGo's reason. */
function compareSigning(verdict: Verdict, expected: Entry, state: View, message: PChainMessage, justification: Uint8Array): void {
  const payload = encodePayload({
    kind: "AddressedCall",
    sourceAddress: new Uint8Array(0),
    payload: encodePChainMessage(message),
  })
  let code: string | undefined
  try {
    checkMaySign(state, LOCAL_ID, { networkID: LOCAL_ID, sourceChainID: P_CHAIN_ID, payload }, justification)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    code = error.code
  }
  verdict.equal("sign", code === undefined, expected.sign === true)
  if (code !== undefined) verdict.equal("error", signingErrorNumber(code), signingErrorNumber(expected.error))
}

function ownerOf({ threshold, addresses }: Entry): PChainOwner {
  return { threshold: Number(threshold), addresses: addresses as Address[] }
}
