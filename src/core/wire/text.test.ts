import { expect, test } from "vitest"
import { refusal } from "../../../test/refusal.js"
import { keyMaker } from "../../evm/address.js"
import { formsOf, identifyText } from "./text.js"

// A publicly known key, from AvalancheGo's genesis/genesis_local.go.
const ewoq = {
  privateKey: "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN",
  publicKey: "0x0327448e78ffa8cdb24cf19be0204ad954b1bdb4db8c51183534c1eecf2ebd094e",
  address: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
  hex: "0x3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c",
}
const shortID = "6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV"
const nodeID = "NodeID-6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV"

const kindOf = (text: string) => identifyText(text).kind
const formsIn = (text: string, hrp = "local") => formsOf(identifyText(text), hrp, keyMaker)

test("a private key leads to its public key and its address", () => {
  expect(kindOf(ewoq.privateKey)).toBe("PrivateKey")
  expect(formsIn(ewoq.privateKey)).toEqual({
    privateKey: ewoq.privateKey,
    hex: "0x56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027",
    cb58: "ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN",
    publicKey: ewoq.publicKey,
    address: ewoq.address,
    bech32: ewoq.address.slice(2),
    shortID,
    evmAddress: "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC",
    mainnet: "P-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5",
    fuji: "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t",
    local: ewoq.address,
  })
  expect(kindOf(ewoq.publicKey)).toBe("PublicKey")
  expect(formsIn(ewoq.publicKey, "fuji").address).toBe("P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t")
})

test("33 bytes that are no point of the curve have no EVM address", () => {
  const text = `0x04${"11".repeat(32)}`
  expect(kindOf(text)).toBe("PublicKey")
  expect(formsIn(text)).not.toHaveProperty("evmAddress")
})

test("an address, a short ID, a node ID and 20 bytes are one thing in four spellings", () => {
  for (const text of [
    ewoq.address,
    ewoq.address.slice(2),
    `X-${ewoq.address.slice(2)}`,
    shortID,
    nodeID,
    ewoq.hex,
    ewoq.hex.slice(2),
  ]) {
    expect(formsIn(text)).toMatchObject({ hex: ewoq.hex, cb58: shortID, nodeID })
  }
  expect([ewoq.address, shortID, nodeID, ewoq.hex].map(kindOf)).toEqual(["Address", "ShortID", "NodeID", "ShortID"])
  expect(formsIn(`X-${ewoq.address.slice(2)}`).address).toBe(`X-${ewoq.address.slice(2)}`)
  expect(identifyText("C-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5")).toMatchObject({ chain: "C", hrp: "avax" })
})

test("an ID is recognised by its 32 bytes; those of VMs spell a name", () => {
  expect(formsIn("11111111111111111111111111111111LpoYY")).toEqual({
    cb58: "11111111111111111111111111111111LpoYY",
    hex: `0x${"00".repeat(32)}`,
    name: "primary network, P-Chain",
  })
  expect(formsIn("jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq")).toMatchObject({ name: "avm" })
  expect(formsIn(`0x${"ab".repeat(32)}`)).toEqual({ cb58: expect.any(String), hex: `0x${"ab".repeat(32)}` })
})

test("hex may end in a checksum, which is taken off where it fits", () => {
  expect(formsIn("0x3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c4633eaa6")).toMatchObject({ hex: ewoq.hex, nodeID })
  expect(kindOf("0x3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c4633eaa0")).toBe("Bytes")
})

test("a UTXO reference leads to the UTXO's ID", () => {
  // AvalancheGo's genesis: the first UTXO of every network that has one.
  expect(kindOf("11111111111111111111111111111111LpoYY:0")).toBe("UTXO")
  expect(formsIn("11111111111111111111111111111111LpoYY:0").cb58).toBe("LUC1cmcxnfNR9LdkACS2ccGKLEK7SYqB4gLLTycQfg1koyfSq")
})

test("other sizes are recognised by what the protocol has of that size", () => {
  expect([48, 65, 96, 7].map((size) => kindOf(`0x${"01".repeat(size)}`))).toEqual([
    "BLSPublicKey",
    "Signature",
    "BLSSignature",
    "Bytes",
  ])
})

test("a text that is almost right is refused with its fault", () => {
  const code = (text: string) => refusal(() => identifyText(text)).code
  expect(code("NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lx")).toBe("types.bad_checksum")
  expect(code("PrivateKey-foo")).toMatch(/^types\./)
  expect(code("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96v")).toBe("types.bad_bech32")
  expect(code("11111111111111111111111111111111LpoYY:x")).toBe("types.bad_utxo_reference")
  expect(refusal(() => identifyText("hello world"))).toEqual({
    code: "wire.unknown_text",
    data: { text: "hello world", asCb58: "the text is not base58" },
  })
  expect(code("")).toBe("wire.unknown_text")
})
