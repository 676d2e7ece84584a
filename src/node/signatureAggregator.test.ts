import { afterAll, beforeAll, expect, test } from "vitest"
import { encode } from "../core/codec/decode.js"
import { fromHex, hexToBytes, toHex } from "../core/lib/bytes.js"
import { idText, P_CHAIN_ID, parseID } from "../core/types/id.js"
import { bitSetIndices } from "../core/types/warp/bitSet.js"
import { decodeSignedMessage, unsignedMessage } from "../core/types/warp/message.js"
import { encodePayload } from "../core/types/warp/payload.js"
import { encodePChainMessage } from "../core/types/warp/pChainMessage.js"
import { type Devnet, startDevnet } from "../devnet/devnet.js"

let net: Devnet
let l1: Awaited<ReturnType<Devnet["dev"]["createL1"]>>
beforeAll(async () => {
  net = await startDevnet({ startTime: 1_900_000_000n, freezeTime: true, accounts: 1 })
  l1 = await net.dev.createL1({ validators: 3 })
})
afterAll(() => net.stop())

async function aggregate(request: object | string, headers: object = {}) {
  const body = typeof request === "string" ? request : JSON.stringify(request)
  const answer = await fetch(`${net.url}/aggregate-signatures`, { method: "POST", body, headers: { ...headers } })
  return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.text() }
}

const errorOf = (status: number, error: string) => ({ status, type: "application/json", body: JSON.stringify({ error }) })

/** A message of a contract of the L1 with any payload. */
const ofL1 = () =>
  encode(unsignedMessage, {
    networkID: 12345,
    sourceChainID: parseID(l1.chainID),
    payload: encodePayload({ kind: "AddressedCall", sourceAddress: new Uint8Array(20), payload: new Uint8Array([1]) }),
  })

/** The P-Chain says that a validator is registered. */
const registered = (validationID: string, isRegistered: boolean) =>
  encode(unsignedMessage, {
    networkID: 12345,
    sourceChainID: P_CHAIN_ID,
    payload: encodePayload({
      kind: "AddressedCall",
      sourceAddress: new Uint8Array(0),
      payload: encodePChainMessage({
        kind: "L1ValidatorRegistration",
        validationID: parseID(validationID),
        registered: isRegistered,
      }),
    }),
  })

function signersOf(body: string): readonly number[] {
  const { signature } = decodeSignedMessage(fromHex(JSON.parse(body)["signed-message"])!)
  return bitSetIndices(signature.signers)
}

test("the validators of the source chain's subnet sign, and the answer is that of dev.signWarpMessage", async () => {
  const message = `0x${toHex(ofL1())}`
  const { signedMessage, unchecked } = await net.dev.signWarpMessage({ unsignedMessage: message })
  expect(unchecked).toContain("the VM of the source chain does not run here")
  const body = JSON.stringify({ "signed-message": signedMessage.slice(2), unchecked })
  const answer = { status: 200, type: "application/json", body }
  expect(await aggregate({ message })).toEqual(answer)
  const all = { message: message.slice(2), justification: "", "quorum-percentage": 100, "pchain-height": 0 }
  expect(await aggregate({ ...all, "signing-subnet-id": l1.subnetID })).toEqual(answer)
  expect(await aggregate({ ...all, "signing-subnet-id": `0x${parseID(l1.subnetID)}` })).toEqual(answer)
})

test("a message of the P-Chain is signed by the primary network or by the named L1, if it is true", async () => {
  const message = toHex(registered(l1.validators[0]!.validationID, true))
  expect(signersOf((await aggregate({ message })).body)).toEqual([0, 1, 2, 3, 4])
  expect(signersOf((await aggregate({ message, "signing-subnet-id": l1.subnetID })).body)).toEqual([0, 1, 2])
  const unknown = idText("77".repeat(32) as never)
  expect(await aggregate({ message: toHex(registered(unknown, true)) })).toEqual(
    errorOf(500, `failed to aggregate signatures. error: no L1 validator has this validation ID (validationID: ${unknown})`),
  )
})

test("a height before the L1 has no validators to sign", async () => {
  const { status, body } = await aggregate({ message: toHex(ofL1()), "pchain-height": 1 })
  expect([status, JSON.parse(body).error]).toEqual([
    500,
    expect.stringContaining(
      "failed to aggregate signatures. error: the subnet has validators now, but had none at this P-Chain height",
    ),
  ])
})

test("a malformed request is refused in the words of the signature-aggregator", async () => {
  const message = toHex(ofL1())
  expect(await aggregate("{")).toEqual(errorOf(400, "Could not decode request body"))
  expect(await aggregate("[]")).toEqual(errorOf(400, "Could not decode request body"))
  expect(await aggregate({ message, "quorum-percentage": "67" })).toEqual(errorOf(400, "Could not decode request body"))
  expect(await aggregate({ message: "0xzz" })).toEqual(errorOf(400, "Could not decode message"))
  expect(await aggregate({})).toEqual(errorOf(400, "Error unpacking warp message"))
  expect(await aggregate({ message: "0x0000" })).toEqual(errorOf(400, "Error unpacking warp message"))
  expect(await aggregate({ message, justification: "1" })).toEqual(errorOf(400, "Could not decode justification"))
  expect(await aggregate({ message, "quorum-percentage": 101 })).toEqual(errorOf(400, "Invalid quorum number"))
  expect(await aggregate({ message, "signing-subnet-id": "abc" })).toEqual(errorOf(400, "Error parsing signing subnet ID"))
})

test("only POST is accepted, and pages of foreign origins are refused", async () => {
  expect((await fetch(`${net.url}/aggregate-signatures`)).status).toBe(405)
  const foreign = await aggregate({ message: toHex(hexToBytes("00")) }, { origin: "https://elsewhere.example" })
  expect(foreign.status).toBe(403)
})
