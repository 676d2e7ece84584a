import { refusals } from "../lib/invalid.js"

export const wireError = refusals({
  "wire.unrecognised": "the bytes are not a structure of the P-Chain",
  "wire.unknown_kind": "there is no structure of this name",
  "wire.unknown_text": "the text is not a known form of an ID, address, key or UTXO reference",
  "wire.other_kind": "the bytes are a structure of another kind",
})
