import { expect, test } from "vitest"
import { IDLE_VALIDATION, L1, SUBNET, smallState, VALIDATION } from "../../../test/fixtures/smallChain.js"
import { idOfByte } from "../../../test/fixtures/txs.js"
import { registration } from "../../../test/fixtures/validFor.js"
import { refusal } from "../../../test/refusal.js"
import { hexToBytes } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"
import { LOCAL_ID } from "../networks/names.js"
import type { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import { P_CHAIN_ID } from "../types/id.js"
import { encodeJustification } from "../types/warp/justification.js"
import { encodePayload } from "../types/warp/payload.js"
import { encodePChainMessage, initialValidationIDOf, type PChainMessage, registrationIDOf } from "../types/warp/pChainMessage.js"
import { checkMaySign, signingErrorNumber } from "./warpSigning.js"

const nothing: Uint8Array = new Uint8Array(0)
const inCall = (payload: Uint8Array, sourceAddress = nothing) => encodePayload({ kind: "AddressedCall", sourceAddress, payload })
const ours = { networkID: LOCAL_ID, sourceChainID: P_CHAIN_ID }

/** Asks for a signature on a message of the P-Chain. */
const ask = (message: PChainMessage, justification = nothing, state: Diff = smallState()) =>
  checkMaySign(state, LOCAL_ID, { ...ours, payload: inCall(encodePChainMessage(message)) }, justification)

/** The number with which a request is refused. */
const numberOf = (action: () => void) => signingErrorNumber(refusal(action).code)

const used = registrationIDOf(registration)
const byRegistration = encodeJustification({ kind: "registration", message: encodePChainMessage(registration) })
const converted = initialValidationIDOf(L1, 7)
const byConversion = encodeJustification({ kind: "conversion", subnetID: L1, index: 7 })
const gone = (validationID: typeof used): PChainMessage => ({ kind: "L1ValidatorRegistration", validationID, registered: false })

test("a statement that the state proves is signed", () => {
  ask({ kind: "SubnetToL1Conversion", id: idOfByte(0xc0) }, hexToBytes(L1))
  ask({ kind: "L1ValidatorRegistration", validationID: VALIDATION, registered: true })
  ask({ kind: "L1ValidatorRegistration", validationID: IDLE_VALIDATION, registered: true })
  ask({ kind: "L1ValidatorWeight", validationID: VALIDATION, nonce: 2n, weight: 90n })
  ask(gone(converted), byConversion)
})

test("the absence of a validator is signed once it can never be registered", () => {
  const state = smallState()
  expect(numberOf(() => ask(gone(used), byRegistration, state))).toBe(14)
  state.put(tables.expiries, { expiry: registration.expiry, validationID: used }, null)
  ask(gone(used), byRegistration, state)
  const later = smallState()
  later.put(tables.timestamp, null, registration.expiry)
  ask(gone(used), byRegistration, later)
})

const refused: readonly [name: string, number: number, message: PChainMessage, justification: Uint8Array][] = [
  ["a registration", 4, registration, nothing],
  ["a conversion without a subnet", 5, { kind: "SubnetToL1Conversion", id: idOfByte(0xc0) }, nothing],
  ["the conversion of a subnet that is none", 6, { kind: "SubnetToL1Conversion", id: idOfByte(0xc0) }, hexToBytes(SUBNET)],
  ["another conversion", 7, { kind: "SubnetToL1Conversion", id: idOfByte(0xc1) }, hexToBytes(L1)],
  ["an absence with a torn justification", 5, gone(used), Uint8Array.of(0x0a)],
  ["an absence without justification", 8, gone(used), nothing],
  ["an absence with a short subnet ID", 9, gone(used), Uint8Array.of(0x0a, 0x03, 0x0a, 0x01, 0x01)],
  ["the absence of another validator", 10, gone(used), byConversion],
  ["the absence of another registration", 10, gone(converted), byRegistration],
  [
    "an absence from a subnet that is no L1",
    6,
    gone(initialValidationIDOf(SUBNET, 0)),
    encodeJustification({ kind: "conversion", subnetID: SUBNET, index: 0 }),
  ],
  ["an absence by something else", 13, gone(used), encodeJustification({ kind: "registration", message: Uint8Array.of(1) })],
  ["the presence of nobody", 11, { kind: "L1ValidatorRegistration", validationID: used, registered: true }, nothing],
  ["the weight of nobody", 11, { kind: "L1ValidatorWeight", validationID: used, nonce: 0n, weight: 1n }, nothing],
  ["the weight of a removal", 15, { kind: "L1ValidatorWeight", validationID: VALIDATION, nonce: MAX64, weight: 0n }, nothing],
  ["an older weight", 16, { kind: "L1ValidatorWeight", validationID: VALIDATION, nonce: 1n, weight: 90n }, nothing],
  ["another weight", 17, { kind: "L1ValidatorWeight", validationID: VALIDATION, nonce: 2n, weight: 91n }, nothing],
]

test.each(refused)("%s is not signed (%d)", (_name, number, message, justification) => {
  expect(numberOf(() => ask(message, justification))).toBe(number)
})

test("the absence of a present validator is not signed", () => {
  const state = smallState()
  state.put(tables.l1Validators, used, state.get(tables.l1Validators, VALIDATION)!)
  expect(numberOf(() => ask(gone(used), byRegistration, state))).toBe(12)
  state.put(tables.l1Validators, converted, state.get(tables.l1Validators, VALIDATION)!)
  expect(numberOf(() => ask(gone(converted), byConversion, state))).toBe(12)
})

test("a message of another kind is not signed", () => {
  const state = smallState()
  const weight: PChainMessage = { kind: "L1ValidatorWeight", validationID: VALIDATION, nonce: 2n, weight: 90n }
  const payload = inCall(encodePChainMessage(weight))
  const check = (message: object) => () => checkMaySign(state, LOCAL_ID, { ...ours, payload, ...message }, nothing)
  check({})()
  expect(numberOf(check({ payload: nothing }))).toBe(1)
  expect(numberOf(check({ payload: encodePayload({ kind: "Hash", hash: idOfByte(1) }) }))).toBe(1)
  expect(numberOf(check({ payload: inCall(encodePChainMessage(weight), Uint8Array.of(1)) }))).toBe(2)
  expect(numberOf(check({ payload: inCall(Uint8Array.of(9)) }))).toBe(3)
  expect(refusal(check({ sourceChainID: idOfByte(1) })).code).toBe("rules.sign_foreign_chain")
  expect(refusal(check({ networkID: 1 })).code).toBe("rules.warp_network")
})
