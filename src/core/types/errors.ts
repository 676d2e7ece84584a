import { refusals } from "../lib/invalid.js"

/** Prints a byte as Go's `%#U` does: its number, and the character if it is printable. */
function unicodeText(code: number): string {
  const isPrintable = (code >= 0x20 && code < 0x7f) || code > 0xa0
  const character = isPrintable ? ` '${String.fromCharCode(code)}'` : ""
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}${character}`
}

export const typeError = refusals({
  "types.bad_base58": {
    sentence: "the text is not base58",
    avalanchegoMessage: ({ problem }) => `base58 decoding error: ${problem}`,
  },
  "types.no_checksum": {
    sentence: "the text is too short to hold its checksum",
    avalanchegoMessage: "input string is smaller than the checksum size",
  },
  "types.bad_checksum": { sentence: "the checksum does not match", avalanchegoMessage: "invalid input checksum" },
  "types.wrong_size": {
    sentence: "the text encodes the wrong number of bytes",
    avalanchegoMessage: ({ expected, got }) => `invalid hash length: expected ${expected} bytes but got ${got}`,
  },
  "types.no_node_id_prefix": {
    sentence: "the node ID does not start with NodeID-",
    avalanchegoMessage: ({ text }) => `ID: ${text} is missing the prefix: NodeID-`,
  },
  "types.no_key_prefix": {
    sentence: "a private key is PrivateKey- and cb58, or 64 hex digits",
    avalanchegoMessage: "private key missing PrivateKey- prefix",
  },
  "types.no_hex_prefix": { sentence: "the hex does not start with 0x", avalanchegoMessage: "missing 0x prefix to hex encoding" },
  "types.odd_hex": { sentence: "the hex has an odd number of digits", avalanchegoMessage: "encoding/hex: odd length hex string" },
  "types.bad_hex": {
    sentence: "a character is not a hex digit",
    avalanchegoMessage: ({ code }) => `encoding/hex: invalid byte: ${unicodeText(Number(code))}`,
  },
  "types.bad_encoding": { sentence: "the encoding must be hex, hexc, hexnc or json", avalanchegoMessage: "invalid encoding" },
  "types.unsupported_encoding": {
    sentence: "this value has no JSON form here",
    avalanchegoMessage: "unsupported encoding in method",
  },
  "types.no_address_separator": {
    sentence: "the address has no chain and dash in front, such as P-",
    avalanchegoMessage: "no separator found in address",
  },
  "types.bad_bech32": { sentence: "the address is not bech32", avalanchegoMessage: ({ reason }) => String(reason) },
  "types.wrong_hrp": {
    sentence: "the address belongs to another network",
    avalanchegoMessage: ({ expected, got }) => `expected hrp "${expected}" but got "${got}"`,
  },
  "types.wrong_chain": {
    sentence: "the address belongs to another chain",
    avalanchegoMessage: ({ expected, got }) => `expected chainID to be "${expected}" but was "${got}"`,
  },
  "types.bad_utxo_reference": {
    sentence: "the text is not a UTXO reference of the form <txID>:<index>",
    avalanchegoMessage: "unexpected number of tokens in string",
  },

  "types.empty_asset": { sentence: "the asset ID is empty", avalanchegoMessage: "empty asset ID is not valid" },
  "types.zero_output": { sentence: "an output has the amount 0", avalanchegoMessage: "output has no value" },
  "types.zero_input": { sentence: "an input has the amount 0", avalanchegoMessage: "input has no value" },
  "types.owner_unspendable": {
    sentence: "the threshold is above the number of addresses",
    avalanchegoMessage: "output is unspendable",
  },
  "types.owner_unoptimized": {
    sentence: "the threshold is 0, but there are addresses",
    avalanchegoMessage: "output representation should be optimized",
  },
  "types.addresses_unsorted": {
    sentence: "the owner's addresses are not strictly ascending",
    avalanchegoMessage: "addresses not sorted and unique",
  },
  "types.indices_unsorted": {
    sentence: "signature indices are not strictly ascending",
    avalanchegoMessage: "address indices not sorted and unique",
  },
  "types.zero_locktime": { sentence: "the lock time of a stakeable lock is 0", avalanchegoMessage: "invalid locktime" },
  "types.outputs_unsorted": { sentence: "outputs are not in order", avalanchegoMessage: "outputs not sorted" },
  "types.inputs_unsorted": { sentence: "inputs are not strictly ascending", avalanchegoMessage: "inputs not sorted and unique" },

  "types.bitset_padded": { sentence: "the signers' bit set has a leading zero byte", avalanchegoMessage: "bitset is invalid" },
  "types.payload_too_large": {
    sentence: "a Warp payload is larger than 24 KiB",
    avalanchegoMessage: ({ size, limit }) => `byte array exceeds maximum length: ${size} > ${limit}`,
  },
  "types.unexpected_signature": {
    sentence: "a block without certificate has a signature",
    avalanchegoMessage: "signature provided when none was expected",
  },
  "types.bad_proposer_signature": {
    sentence: "the proposer's signature is not valid",
    avalanchegoMessage: "signature verification failed",
  },
  "types.zero_epoch": { sentence: "a Granite wrapper has no epoch", avalanchegoMessage: "epoch must be provided after granite" },
  "types.bad_amount":
    "the text is not an amount of AVAX; write a number up to 18446744073.709551615 with at most nine decimals, such as 1.5",
  "types.bad_justification": "the justification is not of a known form",
  "types.empty_justification": "the justification names neither a conversion nor a registration",
  "types.justification_subnet": {
    sentence: "the justification's subnet ID does not have 32 bytes",
    avalanchegoMessage: ({ size }) => `invalid hash length: expected 32 bytes but got ${size}`,
  },
})
