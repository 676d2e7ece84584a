import type { Codec } from "../codec/schema.js"
import { addressOf } from "../crypto/secp256k1.js"
import { hexToBytes, toHex } from "../lib/bytes.js"
import { fromBech32, toBech32 } from "./bech32.js"
import { fromCb58, toCb58 } from "./cb58.js"
import { typeError } from "./errors.js"
import type { Branded } from "./id.js"
import { fixedHex, parseText } from "./id.js"

/** An address: the 20-byte hash of a public key as lowercase hex. */
export type Address = Branded<"Address">

export const ADDRESS_SIZE = 20

/** Returns the address of a compressed public key of secp256k1. */
export function addressOfKey(publicKey: Uint8Array): Address {
  return addressOf(publicKey) as Address
}

/** Prints an address with its chain: `P-avax1…`. */
export function addressText(value: Address, hrp: string, chain = "P"): string {
  return `${chain}-${bech32Text(value, hrp)}`
}

/** Prints an address without its chain: `avax1…`. */
export function bech32Text(value: Address, hrp: string): string {
  return toBech32(hrp, hexToBytes(value))
}

/** The parts of an address, which may belong to another chain or network. */
export interface ParsedAddress {
  readonly chain: string
  readonly hrp: string
  readonly address: Address
}

/** Splits an address into chain alias, HRP and 20 bytes. */
export function parseAddress(text: string): ParsedAddress {
  const dash = text.indexOf("-")
  if (dash < 0) throw typeError("types.no_address_separator", { text })
  const { hrp, bytes } = fromBech32(text.slice(dash + 1))
  if (bytes.length !== ADDRESS_SIZE) throw typeError("types.wrong_size", { text, expected: ADDRESS_SIZE, got: bytes.length })
  return { chain: text.slice(0, dash), hrp, address: toHex(bytes) as Address }
}

/** Reads an address of the P-Chain of the network with this HRP. */
export function parsePChainAddress(text: string, hrp: string): Address {
  const parsed = parseAddress(text)
  if (parsed.hrp !== hrp) throw typeError("types.wrong_hrp", { text, expected: hrp, got: parsed.hrp })
  if (!["P", "platform", "11111111111111111111111111111111LpoYY"].includes(parsed.chain)) {
    throw typeError("types.wrong_chain", { text, expected: "P", got: parsed.chain })
  }
  return parsed.address
}

/** Prints an address without network: cb58 of its 20 bytes. */
export function shortIDText(value: Address): string {
  return toCb58(hexToBytes(value))
}

/** Reads an address from cb58. Throws `types.*`. */
export function parseShortID(text: string): Address {
  return toHex(fromCb58(text, ADDRESS_SIZE)) as Address
}

/** 20 bytes, in JSON always bare cb58, whatever the network. */
export const shortID = fixedHex<Address>(ADDRESS_SIZE, shortIDText, parseShortID, "an address as cb58, without network")

/** 20 bytes; in JSON `P-` and bech32 with the network's HRP. */
export const address: Codec<Address, string> = {
  ...shortID,
  jsonSchema: { type: "string", description: "an address, P- and bech32" },
  writeJson(sink, value, as) {
    const { hrp, cachedText } = as
    if (hrp === undefined) shortID.writeJson(sink, value, as)
    else sink.plain(cachedText ? cachedText(hrp, value, () => addressText(value, hrp)) : addressText(value, hrp))
  },
  fromJson(json, { hrp }, path) {
    return parseText(json, (text) => (hrp === undefined ? parseShortID(text) : parsePChainAddress(text, hrp)), "an address", path)
  },
}
