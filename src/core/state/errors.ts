import { refusals } from "../lib/invalid.js"

export const stateError = refusals({
  "state.staker_re_added": {
    sentence: "a validator that this block removed cannot be added again in it",
    avalanchegoMessage: "attempted to add a staker after deleting it",
  },
  "state.validator_exists": {
    sentence: "the node is already a validator of this subnet",
    avalanchegoMessage: ({ nodeID }) => `unexpected staker: ${nodeID}`,
  },
  "state.no_current_validator": {
    sentence: "the node does not validate this subnet",
    avalanchegoMessage: "getting current validator: not found",
  },
  "state.validator_has_delegators": {
    sentence: "the validator still has delegators, which must leave before it",
    avalanchegoMessage: "wrong deletion order: delegators must be deleted before their validator",
  },
  "state.l1_validator_conflict": {
    sentence: "the node is still a validator of this subnet from before its conversion",
    avalanchegoMessage: "L1 validator contains conflicting subnetID + nodeID pair",
  },
  "state.l1_validator_mutated": {
    sentence: "only weight, nonce and balance of an L1 validator can change",
    avalanchegoMessage: "L1 validator contains mutated constant fields",
  },
  "state.l1_validator_duplicate": {
    sentence: "the node is already a validator of this L1",
    avalanchegoMessage: "L1 validator contains duplicate subnetID + nodeID pair",
  },
})
