import { refusals } from "../lib/invalid.js"

/** What is wrong with bytes that nobody can name. */
export const wireError = refusals({
  "wire.unrecognised": "no structure of the P-Chain has these bytes",
  "wire.unknown_kind": "there is no structure of this name",
  "wire.unknown_text": "the text is no ID, address, key or reference that we know",
  "wire.other_kind": "the bytes are a structure of another kind",
})
