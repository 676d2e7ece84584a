import { expect, test } from "vitest"
import { idOfByte } from "../../../test/fixtures/txs.js"
import { parseCertificate } from "../../platform/certificate.js"
import { encode } from "../codec/decode.js"
import type { TypeOf } from "../codec/schema.js"
import { toHex } from "../lib/bytes.js"
import { EMPTY_NODE_ID, P_CHAIN_ID } from "./id.js"
import { decodeContainer, isZeroEpoch, proposerContainer, signedHeader, verifyContainer } from "./proposervm.js"

const none = new Uint8Array(0)
const header = { parentID: idOfByte(1), timestamp: 123n, pChainHeight: 2n, certificate: none, block: Uint8Array.of(3) }
const plain = { kind: "ProposerVMBlock", ...header, signature: none } as const
const granite = {
  kind: "ProposerVMGraniteBlock",
  ...header,
  epoch: { pChainHeight: 2n, number: 1n, startTime: 123n },
  signature: none,
} as const
const option = { kind: "ProposerVMOption", parentID: idOfByte(1), block: Uint8Array.of(3) } as const

const containerOf = (value: TypeOf<typeof proposerContainer>) => decodeContainer(encode(proposerContainer, value))

test("wrappers without certificate have no proposer, and pass as they are", () => {
  for (const value of [plain, granite, option]) {
    const container = containerOf(value)
    expect(container).toMatchObject({ ...value, proposer: EMPTY_NODE_ID })
    verifyContainer(container, P_CHAIN_ID, parseCertificate)
  }
})

test("a wrapper's ID does not cover its signature, and an option's ID covers everything", () => {
  const signed = containerOf({ ...plain, signature: Uint8Array.of(1, 2, 3) })
  expect(signed.id).toBe(containerOf(plain).id)
  expect(containerOf({ ...granite, signature: Uint8Array.of(9) }).id).toBe(containerOf(granite).id)
  expect(containerOf({ ...option, block: Uint8Array.of(4) }).id).not.toBe(containerOf(option).id)
})

test("times before 1970 are times", () => {
  expect(containerOf({ ...plain, timestamp: -1n })).toMatchObject({ timestamp: -1n })
})

test("a signature without certificate is refused", () => {
  const container = containerOf({ ...plain, signature: Uint8Array.of(1) })
  expect(() => verifyContainer(container, P_CHAIN_ID, parseCertificate)).toThrow(
    expect.objectContaining({
      code: "types.unexpected_signature",
      avalanchegoMessage: "signature provided when none was expected",
    }),
  )
})

test("a Granite wrapper without epoch is refused, whatever else is wrong with it", () => {
  const epoch = { pChainHeight: 0n, number: 0n, startTime: 0n }
  const container = containerOf({ ...granite, epoch, signature: Uint8Array.of(1) })
  expect(isZeroEpoch(epoch)).toBe(true)
  expect(() => verifyContainer(container, P_CHAIN_ID, parseCertificate)).toThrow(
    expect.objectContaining({ code: "types.zero_epoch", avalanchegoMessage: "epoch must be provided after granite" }),
  )
})

test("an invalid certificate is refused while reading", () => {
  expect(() => containerOf({ ...plain, certificate: Uint8Array.of(1) })).toThrow(
    expect.objectContaining({ code: "crypto.certificate_malformed" }),
  )
})

test("what a proposer signs has 98 bytes", () => {
  const bytes = encode(signedHeader, { chainID: P_CHAIN_ID, parentID: idOfByte(1), bodyID: idOfByte(2) })
  expect(toHex(bytes)).toBe(`0000${"00".repeat(32)}${"01".repeat(32)}${"02".repeat(32)}`)
})
