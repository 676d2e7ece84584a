import { expect, test } from "vitest"
import { decode, encode } from "../codec/decode.js"
import { toHex } from "../lib/bytes.js"
import { EMPTY_ID, EMPTY_NODE_ID, type ID, id, idOf, idOfName, idText, nodeID, nodeIDText, parseID, parseNodeID } from "./id.js"
import { parsePrivateKey, privateKeyText } from "./privateKey.js"

test("IDs and node IDs are spelled in cb58, and read back", () => {
  expect(idText(EMPTY_ID)).toBe("11111111111111111111111111111111LpoYY")
  expect(nodeIDText(EMPTY_NODE_ID)).toBe("NodeID-111111111111111111116DBWJs")
  expect(parseID("11111111111111111111111111111111LpoYY")).toBe(EMPTY_ID)
  expect(parseNodeID("NodeID-111111111111111111116DBWJs")).toBe(EMPTY_NODE_ID)
})

test("the ID of bytes is their SHA-256, that of a name its letters", () => {
  expect(idOf(new Uint8Array(0))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  expect(idText(idOfName("secp256k1fx"))).toBe("spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ")
  expect(idText(idOfName("avm"))).toBe("jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq")
})

test("IDs on the wire are their bytes alone", () => {
  const value = "ab".repeat(32) as ID
  expect(encode(id, value)).toEqual(new Uint8Array(32).fill(0xab))
  expect(decode(id, new Uint8Array(32).fill(0xab))).toBe(value)
  expect(() => encode(id, "ab" as ID)).toThrow("not 32 bytes of hex")
  expect(() => encode(id, "zz".repeat(32) as ID)).toThrow("not 32 bytes of hex")
})

test.each([
  [
    "NodeId-111111111111111111116DBWJs",
    "types.no_node_id_prefix",
    "ID: NodeId-111111111111111111116DBWJs is missing the prefix: NodeID-",
  ],
  ["", "types.no_node_id_prefix", "ID:  is missing the prefix: NodeID-"],
  ["NodeID-", "types.bad_base58", "base58 decoding error: zero length string"],
  ["NodeID-1", "types.no_checksum", "input string is smaller than the checksum size"],
  ["NodeID-11111111111111111111111111111111LpoYY", "types.wrong_size", "invalid hash length: expected 20 bytes but got 32"],
])("%j is no node ID", (text, code, reference) => {
  expect(() => parseNodeID(text)).toThrow(expect.objectContaining({ code, avalanchegoMessage: reference }))
})

test("in JSON anything but a well-spelled text is refused by its path", () => {
  for (const given of [null, 5, "", "0x00", "NodeID-111111111111111111116DBWJs"]) {
    expect(() => id.fromJson(given, {}, "txID")).toThrow(
      expect.objectContaining({ code: "codec.bad_json", data: expect.objectContaining({ path: "txID" }) }),
    )
  }
  expect(() => nodeID.fromJson("11111111111111111111111111111111LpoYY", {}, "nodeID")).toThrow(
    expect.objectContaining({
      data: { path: "nodeID", expected: "a node ID, NodeID- and cb58", reason: "the node ID does not start with NodeID-" },
    }),
  )
})

test("private keys have a prefix and 32 bytes", () => {
  const ewoq = "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN"
  expect(privateKeyText(parsePrivateKey(ewoq))).toBe(ewoq)
  expect(() => parsePrivateKey(ewoq.slice("PrivateKey-".length))).toThrow(
    expect.objectContaining({ code: "types.no_key_prefix", avalanchegoMessage: "private key missing PrivateKey- prefix" }),
  )
  const hex = toHex(parsePrivateKey(ewoq))
  for (const text of [hex, `0x${hex}`, hex.toUpperCase()]) expect(privateKeyText(parsePrivateKey(text))).toBe(ewoq)
  expect(() => parsePrivateKey(hex.slice(1))).toThrow(expect.objectContaining({ code: "types.no_key_prefix" }))
  expect(() => parsePrivateKey("PrivateKey-45PJLL")).toThrow(expect.objectContaining({ code: "types.wrong_size" }))
})
