import { refusals } from "../lib/invalid.js"

const notSortedAddresses = "addresses not sorted and unique"

/** A byte as Go's `%#U` prints it: its number, and itself where it can be seen. */
function unicodeText(code: number): string {
  const isPrintable = (code >= 0x20 && code < 0x7f) || code > 0xa0
  const character = isPrintable ? ` '${String.fromCharCode(code)}'` : ""
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}${character}`
}

/** What is wrong with the protocol's nouns, taken by themselves. */
export const typeError = refusals({
  "types.bad_base58": {
    says: "the text is not base58",
    reference: ({ problem }) => `base58 decoding error: ${problem}`,
  },
  "types.no_checksum": {
    says: "the text is too short to hold its checksum",
    reference: "input string is smaller than the checksum size",
  },
  "types.bad_checksum": { says: "the checksum does not match", reference: "invalid input checksum" },
  "types.wrong_size": {
    says: "the text spells the wrong number of bytes",
    reference: ({ expected, got }) => `invalid hash length: expected ${expected} bytes but got ${got}`,
  },
  "types.no_node_id_prefix": {
    says: "a node ID starts with NodeID-",
    reference: ({ text }) => `ID: ${text} is missing the prefix: NodeID-`,
  },
  "types.no_key_prefix": { says: "a private key starts with PrivateKey-", reference: "private key missing PrivateKey- prefix" },
  "types.no_hex_prefix": { says: "hex starts with 0x", reference: "missing 0x prefix to hex encoding" },
  "types.odd_hex": { says: "hex has an even number of digits", reference: "encoding/hex: odd length hex string" },
  "types.bad_hex": {
    says: "a character is not a hex digit",
    reference: ({ code }) => `encoding/hex: invalid byte: ${unicodeText(Number(code))}`,
  },
  "types.bad_encoding": { says: "the encoding is none of hex, hexc, hexnc, json", reference: "invalid encoding" },
  "types.unsupported_encoding": { says: "this value has no JSON form here", reference: "unsupported encoding in method" },
  "types.no_address_separator": { says: "an address has a chain in front of a dash", reference: "no separator found in address" },
  "types.bad_bech32": { says: "the address is not bech32", reference: ({ reason }) => String(reason) },
  "types.wrong_hrp": {
    says: "the address belongs to another network",
    reference: ({ expected, got }) => `expected hrp "${expected}" but got "${got}"`,
  },
  "types.wrong_chain": {
    says: "the address belongs to another chain",
    reference: ({ expected, got }) => `expected chainID to be "${expected}" but was "${got}"`,
  },
  "types.bad_utxo_reference": { says: "a UTXO is written <txID>:<index>", reference: "unexpected number of tokens in string" },

  "types.empty_asset": { says: "the asset ID is empty", reference: "empty asset ID is not valid" },
  "types.zero_output": { says: "an output holds nothing", reference: "output has no value" },
  "types.zero_input": { says: "an input takes nothing", reference: "input has no value" },
  "types.owner_unspendable": { says: "the threshold is above the number of addresses", reference: "output is unspendable" },
  "types.owner_unoptimized": {
    says: "a threshold of 0 comes without addresses",
    reference: "output representation should be optimized",
  },
  "types.addresses_unsorted": { says: "the owner's addresses are not strictly ascending", reference: notSortedAddresses },
  "types.indices_unsorted": {
    says: "signature indices are not strictly ascending",
    reference: "address indices not sorted and unique",
  },
  "types.zero_locktime": { says: "a stakeable lock needs a lock time", reference: "invalid locktime" },
  "types.outputs_unsorted": { says: "outputs are not in order", reference: "outputs not sorted" },
  "types.inputs_unsorted": { says: "inputs are not strictly ascending", reference: "inputs not sorted and unique" },
  "types.zero_weight": { says: "the weight is zero", reference: "weight of this validator is too low" },

  "types.bitset_padded": { says: "the signers' bit set has a leading zero byte", reference: "bitset is invalid" },
  "types.payload_too_large": {
    says: "a Warp payload is larger than 24 KiB",
    reference: ({ size, limit }) => `byte array exceeds maximum length: ${size} > ${limit}`,
  },
  "types.bad_certificate": { says: "the proposer's certificate is not acceptable", reference: ({ reason }) => String(reason) },
  "types.unexpected_signature": {
    says: "a block without certificate has a signature",
    reference: "signature provided when none was expected",
  },
  "types.bad_proposer_signature": { says: "the proposer's signature does not fit", reference: "signature verification failed" },
  "types.zero_epoch": { says: "a Granite wrapper has no epoch", reference: "epoch must be provided after granite" },
  "types.bad_amount": "this is no amount of AVAX; write digits with at most nine decimals, such as 1.5",
  "types.bad_justification": "the justification is not of a known form",
  "types.empty_justification": "the justification names neither a conversion nor a registration",
  "types.justification_subnet": {
    says: "the justification's subnet ID is not of 32 bytes",
    reference: ({ size }) => `invalid hash length: expected 32 bytes but got ${size}`,
  },
})
