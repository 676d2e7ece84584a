import { expect, test } from "vitest"
import { toJson } from "../codec/valueSink.js"
import {
  type Address,
  address,
  addressText,
  bech32Text,
  parseAddress,
  parsePChainAddress,
  parseShortID,
  shortID,
  shortIDText,
} from "./address.js"
import { toBech32 } from "./bech32.js"

const ewoq = "3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c" as Address
const text = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"

test("an address is spelled for its chain and network, and read back", () => {
  expect(addressText(ewoq, "local")).toBe(text)
  expect(addressText(ewoq, "avax", "X")).toBe("X-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5")
  expect(bech32Text(ewoq, "local")).toBe(text.slice(2))
  expect(parseAddress("X-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5")).toEqual({ chain: "X", hrp: "avax", address: ewoq })
  expect([shortIDText(ewoq), parseShortID("6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV")]).toEqual([
    "6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV",
    ewoq,
  ])
})

test("the P-Chain has three names", () => {
  for (const chain of ["P", "platform", "11111111111111111111111111111111LpoYY"]) {
    expect(parsePChainAddress(`${chain}${text.slice(1)}`, "local")).toBe(ewoq)
  }
})

test.each([
  ["", "types.no_address_separator", "no separator found in address"],
  [text.slice(2), "types.no_address_separator", "no separator found in address"],
  ["P-", "types.bad_bech32", "invalid bech32 string length 0"],
  ["P-nope", "types.bad_bech32", "invalid bech32 string length 4"],
  ["P-P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "types.bad_bech32", "string not all lowercase or all uppercase"],
  ["P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t", "types.wrong_hrp", 'expected hrp "local" but got "fuji"'],
  [`X${text.slice(1)}`, "types.wrong_chain", 'expected chainID to be "P" but was "X"'],
  [`p${text.slice(1)}`, "types.wrong_chain", 'expected chainID to be "P" but was "p"'],
  [`P-${toBech32("local", new Uint8Array(18))}`, "types.wrong_size", "invalid hash length: expected 20 bytes but got 19"],
  [`P-${toBech32("local", new Uint8Array(21))}`, "types.wrong_size", "invalid hash length: expected 20 bytes but got 22"],
])("%j is no address of the P-Chain of the local network", (given, code, reference) => {
  expect(() => parsePChainAddress(given, "local")).toThrow(expect.objectContaining({ code, avalanchegoMessage: reference }))
})

test("an address that lacks its last byte is one that ends in zero, as in AvalancheGo", () => {
  expect(parsePChainAddress("P-local1qqrsu9guyv4rzwplgex4gkmzd9c8wl5xsx56u", "local")).toBe(
    "00070e151c232a31383f464d545b626970777e80",
  )
  expect(parsePChainAddress(`P-${toBech32("local", new Uint8Array(19).fill(1))}`, "local")).toBe(`${"01".repeat(19)}00`)
})

test("in JSON an address is bech32 where the network is known, and cb58 where it is not or never counts", () => {
  expect(toJson(address, ewoq, { hrp: "local" })).toBe(text)
  expect(toJson(address, ewoq, {})).toBe("6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV")
  expect(toJson(shortID, ewoq, { hrp: "local" })).toBe("6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV")
  expect(address.fromJson(text, { hrp: "local" })).toBe(ewoq)
  expect(address.fromJson("6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV", {})).toBe(ewoq)
})

test.each([5, null, "", "6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV"])("%j in JSON is refused by its path", (given) => {
  expect(() => address.fromJson(given, { hrp: "local" }, "owner.addresses.0")).toThrow(
    expect.objectContaining({
      code: "codec.bad_json",
      data: expect.objectContaining({ path: "owner.addresses.0", expected: "an address" }),
    }),
  )
})
