import { create, fromBinary, toBinary } from "@bufbuild/protobuf"
import { expect, test } from "vitest"
import { smallState, VALIDATION } from "../../../../test/fixtures/smallChain.js"
import { idOfByte } from "../../../../test/fixtures/txs.js"
import { bls } from "../../../platform/backends.js"
import { encode } from "../../codec/decode.js"
import { LOCAL_ID } from "../../networks/names.js"
import { SignatureRequestSchema, SignatureResponseSchema } from "../../p2p/proto/app_pb.js"
import { type ID, P_CHAIN_ID } from "../../types/id.js"
import { unsignedMessage } from "../../types/warp/message.js"
import { encodePayload } from "../../types/warp/payload.js"
import { encodePChainMessage } from "../../types/warp/pChainMessage.js"
import { answerSignatureRequest } from "./answerApp.js"

const secret = new Uint8Array(32).fill(7)

/** The message that a validator is registered, of a network. */
function registered(validationID: ID, networkID = LOCAL_ID): Uint8Array {
  const payload = encodePChainMessage({ kind: "L1ValidatorRegistration", validationID, registered: true })
  const call = encodePayload({ kind: "AddressedCall", sourceAddress: new Uint8Array(0), payload })
  return encode(unsignedMessage, { networkID, sourceChainID: P_CHAIN_ID, payload: call })
}

function answerTo(body: Uint8Array) {
  const sign = (message: Uint8Array) => bls().sign(secret, message)
  return answerSignatureRequest(9, body, { networkID: LOCAL_ID, state: smallState(), sign })
}

const requestFor = (message: Uint8Array) => toBinary(SignatureRequestSchema, create(SignatureRequestSchema, { message }))

test("a message that the state shows to be true is signed, and the signature is that of the node's key", () => {
  const message = registered(VALIDATION)
  const answer = answerTo(requestFor(message))
  expect(answer).toMatchObject({ case: "appResponse", value: { requestId: 9 } })
  const { appBytes } = answer.value as { appBytes: Uint8Array }
  const { signature } = fromBinary(SignatureResponseSchema, appBytes)
  expect(bls().verify(bls().publicKey(secret), message, signature)).toBe(true)
})

test.each([
  ["a message that is not true", 11, requestFor(registered(idOfByte(0x77)))],
  ["a message of another network", -1, requestFor(registered(VALIDATION, LOCAL_ID + 1))],
  ["bytes that are no message", -1, requestFor(Uint8Array.of(1, 2, 3))],
  ["bytes that are no request", -1, Uint8Array.of(0x0a, 0xff)],
])("%s is refused with the error code %i", (_name, errorCode, body) => {
  expect(answerTo(body)).toMatchObject({ case: "appError", value: { requestId: 9, errorCode } })
})
