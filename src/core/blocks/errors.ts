import { goTimeText } from "../lib/goTime.js"
import { refusals } from "../lib/invalid.js"

/** What is wrong with a block. */
export const blockError = refusals({
  "block.unknown_parent": { says: "the block's parent is not known", reference: "not found" },
  "block.wrong_height": {
    says: "the block's height is not one above its parent's",
    reference: ({ expected, got }) => `incorrect block height expected ${expected}, but found ${got}`,
  },
  "block.apricot_after_banff": {
    says: "blocks of this kind ended with Banff",
    reference: ({ timestamp }) => `apricot block issued after fork: timestamp = ${goTimeText(timestamp as bigint)}`,
  },
  "block.atomic_after_phase_5": {
    says: "blocks of this kind ended with Apricot Phase 5",
    reference: ({ timestamp, phase5 }) =>
      `the chain timestamp (${timestamp}) is after the apricot phase 5 time (${phase5}), hence atomic transactions should go through the standard block`,
  },
  "block.not_an_option": {
    says: "the block's parent proposes nothing",
    reference: ({ parentID }) => `missing parent state: ${parentID}`,
  },
  "block.undecided_parent": {
    says: "the block's parent is a proposal that nobody decided",
    reference: ({ parentID }) => `missing parent state: ${parentID}`,
  },
  "block.option_time": {
    says: "an option repeats its proposal's time",
    reference: ({ expected, got }) =>
      `option block proposed timestamp not matching parent block one parent block timestamp (${goTimeText(expected as bigint)}) option block timestamp (${goTimeText(got as bigint)})`,
  },
  "block.too_large_before_helicon": {
    says: "until Helicon a block has at most 256 KiB",
    reference: "block size exceeds max block size pre-Helicon",
  },
  "block.no_changes": { says: "the block changes nothing", reference: "BanffStandardBlock performs no state changes" },
  "block.conflicting_txs": {
    says: "two transactions of the block import the same UTXO",
    reference: "block contains conflicting transactions",
  },
  "block.conflicting_parent_txs": {
    says: "the block imports a UTXO that an undecided ancestor imports",
    reference: "block contains a transaction that conflicts with a transaction in a parent block",
  },
})
