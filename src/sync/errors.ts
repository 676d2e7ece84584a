import { refusals } from "../core/lib/invalid.js"

/** Errors of blocks that are read from a file. */
export const syncError = refusals({
  "sync.unreadable_file": "the file cannot be read, or is no whole gzip",
  "sync.bad_line": "a line is no block: hex, and behind it at most a P-Chain height",
  "sync.line_too_long": "a line, or a text of the JSON, is longer than any block",
  "sync.bad_json": "the JSON is neither a list of blocks nor a record with one",
  "sync.bad_block": "the bytes are not a block",
  "sync.refused": "a block breaks a rule",
  "sync.gap": "a block does not follow the one before it",
  "sync.other_chain": "a block differs from the one the store has at its height",
  "sync.stopped": "the replay was stopped before its end: the blocks up to this height are kept, and it goes on from there",
  "sync.bad_utxo": "a line is no UTXO: hex with checksum, and behind it at most a chain",
})
