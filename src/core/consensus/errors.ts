import { refusals } from "../lib/invalid.js"

/** Errors of blocks in their ProposerVM wrapper, as nodes exchange them. Heights are the P-Chain heights of the wrappers. */
export const consensusError = refusals({
  "consensus.unknown_parent": "the block's parent is neither accepted last nor verified",
  "consensus.expected_wrapper": "the block has no ProposerVM wrapper, and its parent is old enough for one",
  "consensus.unexpected_wrapper": "the block has a ProposerVM wrapper, and its parent is too old for one",
  "consensus.expected_option": "the block's parent is a proposal, which only an option can follow",
  "consensus.unexpected_option": "the wrapper is that of an option, and its parent is no proposal",
  "consensus.inner_parent": "the block in the wrapper does not follow the block in its parent's wrapper",
  "consensus.height_decreased": "the wrapper names a lower P-Chain height than its parent's",
  "consensus.height_too_low": "the first wrapper names a lower P-Chain height than the network allows",
  "consensus.height_unknown": "the wrapper names a P-Chain height that is not accepted yet",
  "consensus.time_decreased": "the wrapper is older than its parent's",
  "consensus.time_too_far": "the wrapper's time is more than 10 seconds in the future",
  "consensus.wrong_epoch": "the wrapper's epoch does not follow from its parent's",
  "consensus.wrong_wrapper_kind": "the wrapper is not of the kind that its time requires",
  "consensus.signed_first_wrapper": "the first wrapper of a chain is signed",
  "consensus.wrong_proposer": "the block is not signed by the node whose slot it is",
  "consensus.unsigned": "the wrapper is not signed",
  "consensus.unexpectedly_signed": "the wrapper is signed but must not be",
  "consensus.other_chain": "the peers accepted another block at a height where this node has accepted one",
})
