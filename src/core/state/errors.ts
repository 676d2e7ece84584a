import { refusals } from "../lib/invalid.js"

/** What the state itself refuses to hold. */
export const stateError = refusals({
  "state.staker_re_added": {
    says: "a validator that this block removed cannot be added again in it",
    reference: "attempted to add a staker after deleting it",
  },
  "state.validator_exists": {
    says: "the node validates this subnet already",
    reference: ({ nodeID }) => `unexpected staker: ${nodeID}`,
  },
  "state.no_current_validator": {
    says: "the node does not validate this subnet",
    reference: "getting current validator: not found",
  },
  "state.validator_has_delegators": {
    says: "a validator leaves after its delegators",
    reference: "wrong deletion order: delegators must be deleted before their validator",
  },
  "state.l1_validator_conflict": {
    says: "the node still validates this subnet the old way",
    reference: "L1 validator contains conflicting subnetID + nodeID pair",
  },
  "state.l1_validator_mutated": {
    says: "an L1 validator stays who it is: only weight, nonce and balance change",
    reference: "L1 validator contains mutated constant fields",
  },
  "state.l1_validator_duplicate": {
    says: "the node validates this L1 already",
    reference: "L1 validator contains duplicate subnetID + nodeID pair",
  },
})
