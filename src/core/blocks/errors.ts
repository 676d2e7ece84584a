import { goTimeText } from "../lib/go/goTime.js"
import { refusals } from "../lib/invalid.js"

export const blockError = refusals({
  "block.unknown_parent": { sentence: "the block's parent is not known", avalanchegoMessage: "not found" },
  "block.wrong_height": {
    sentence: "the block's height is not one above its parent's",
    avalanchegoMessage: ({ expected, got }) => `incorrect block height expected ${expected}, but found ${got}`,
  },
  "block.apricot_after_banff": {
    sentence: "blocks of this kind are not allowed since Banff",
    avalanchegoMessage: ({ timestamp }) => `apricot block issued after fork: timestamp = ${goTimeText(timestamp as bigint)}`,
  },
  "block.atomic_after_phase_5": {
    sentence: "blocks of this kind are not allowed since Apricot Phase 5",
    avalanchegoMessage: ({ timestamp, phase5 }) =>
      `the chain timestamp (${timestamp}) is after the apricot phase 5 time (${phase5}), hence atomic transactions should go through the standard block`,
  },
  "block.not_an_option": {
    sentence: "the block is an option, but its parent is not a proposal",
    avalanchegoMessage: ({ parentID }) => `missing parent state: ${parentID}`,
  },
  "block.undecided_parent": {
    sentence: "the block's parent is a proposal that is not decided yet",
    avalanchegoMessage: ({ parentID }) => `missing parent state: ${parentID}`,
  },
  "block.option_time": {
    sentence: "the option's time is not its proposal's time",
    avalanchegoMessage: ({ expected, got }) =>
      `option block proposed timestamp not matching parent block one parent block timestamp (${goTimeText(expected as bigint)}) option block timestamp (${goTimeText(got as bigint)})`,
  },
  "block.too_large_before_helicon": {
    sentence: "the block is larger than 256 KiB, the limit until Helicon",
    avalanchegoMessage: "block size exceeds max block size pre-Helicon",
  },
  "block.no_changes": {
    sentence: "the block changes nothing",
    avalanchegoMessage: "BanffStandardBlock performs no state changes",
  },
  "block.conflicting_txs": {
    sentence: "two transactions of the block import the same UTXO",
    avalanchegoMessage: "block contains conflicting transactions",
  },
  "block.conflicting_parent_txs": {
    sentence: "the block imports a UTXO that an undecided ancestor imports",
    avalanchegoMessage: "block contains a transaction that conflicts with a transaction in a parent block",
  },
})
