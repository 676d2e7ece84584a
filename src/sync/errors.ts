import { refusals } from "../core/lib/invalid.js"

/** Errors of blocks that are read from a file or from another node. */
export const syncError = refusals({
  "sync.unreadable_file": "the file cannot be read, or its gzip is incomplete",
  "sync.bad_line":
    "a line is not a block, which is hex, optionally followed by a P-Chain height, nor one of the other lines of an export",
  "sync.line_too_long": "a line, or a text of the JSON, is longer than any block",
  "sync.json_too_long": "the JSON is too long to be read at once: write one block per line",
  "sync.bad_json": "the JSON is neither a list of blocks nor a record with one",
  "sync.bad_block": "the bytes are not a block",
  "sync.refused": "a block breaks a rule",
  "sync.gap": "a block does not follow the one before it",
  "sync.other_chain": "a block differs from the one the store has at its height",
  "sync.stopped":
    "the replay was stopped before its end: the blocks up to this height are stored, and the next replay continues after them",
  "sync.no_answer": "the node that is followed does not answer",
  "sync.bad_status": "the node that is followed refuses the request",
  "sync.bad_answer": "the answer of the node that is followed is not what its API promises",
  "sync.call_refused": "the node that is followed answers a call with an error",
  "sync.reverted":
    "the chain of the followed node is at an earlier height than the copy: the copy of a private chain goes back with a node that says which chain it has, any other copy does not",
  "sync.fault": "an error inside Serac stopped the copy",
  "sync.other_network": "the node that is followed belongs to another network",
  "sync.other_identity": "the node that is followed has another chain than the copy: a private chain, a fork, or a network's",
  "sync.bad_override": "an override of a private chain cannot be read, or does not follow the block before it",
  "sync.other_override": "an override of the private chain differs from the one that the copy has in its place",
  "sync.other_upgrades":
    "the node that is followed has other upgrade times than the copy: start a new copy in an empty --data-dir, without --upgrade and --upgrade-file",
  "sync.other_supply":
    "the node that is followed has another supply of AVAX after the same block: start a new copy with the flags of that node's rules",
  "sync.disagreement": "two nodes that are followed have different blocks at one height; the copy stops before it",
  "sync.bad_utxo": "a line is not a UTXO: it must have hex with a checksum, optionally followed by a chain",
})
