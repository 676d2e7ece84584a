import { refusals } from "../core/lib/invalid.js"

/** Errors of the private chain. */
export const producerError = refusals({
  "producer.bad_mnemonic": "a phrase has 12, 15, 18, 21 or 24 words",
  "producer.unknown_word": "a word of the phrase is not in BIP-39's English list",
  "producer.bad_checksum": "the checksum of the phrase is wrong: one of its words is wrong or misplaced",
  "producer.too_many_accounts":
    "one transaction cannot fund all accounts: request fewer, or raise the rule dynamic-fees-max-gas-capacity",
  "producer.unaffordable_accounts":
    "the key that funds the accounts does not have enough AVAX: ask for fewer accounts or a smaller balance",
  "producer.unknown_account": "no account of dev.accounts has this address",
  "producer.insufficient_funds": "the funded key does not have enough spendable AVAX",
  "producer.funds_wait":
    "the AVAX of this key is spent by transactions that wait for a block: make one with dev.mine, or drop them with dev.dropTx",
  "producer.too_little_gas": "the transaction uses more gas than a block can ever hold",
  "producer.reverted": "the chain was reverted to a point before the transaction was accepted",
  "producer.bad_interval": "the interval is not a number of seconds above 0 and at most one day",
  "producer.time_in_the_past": "the time is in the past: the clock can only move forward",
  "producer.time_too_far": "the time is after the year 9999, in which the clock ends",
  "producer.time_span_too_long":
    "the clock would move by more than 100 years, which takes long: times are in seconds, not milliseconds; `force` allows it, on the command line --force",
  "producer.frozen_without_gas":
    "there is not enough gas for the transaction, and no gas is added while the clock is frozen: move the clock with dev.advanceTime",
  "producer.start_too_early":
    "a chain cannot start before its genesis, and a fork not before its last real block: choose a later start time",
  "producer.unknown_validator":
    "no validator of the primary network has this node ID: check it with platform.getCurrentValidators, or add the validator first",
  "producer.unknown_member": "the validator set of the subnet has no active validator with this node ID",
  "producer.no_validators": "the subnet has no active validator",
  "producer.unknown_snapshot": "no snapshot has this ID",
  "producer.bad_dump": "the bytes are not a state of this program",
  "producer.c_chain_took_part":
    "a state file has the P-Chain only, and AVAX of this chain went to or came from the C-Chain: copy the node with `serac backup`, or revert to a moment before",
  "producer.older_dump":
    "the state was written by an older version of this program: with that version, load it into a data directory (--load-state, --data-dir); then run `serac upgrade` on that, start it, and dump the state again (dev.dumpState, --dump-state)",
  "producer.newer_dump": "the state was written by a newer version of this program",
  "producer.other_dump": "the state belongs to another network or other rules",
  "producer.unknown_signer": "no member of the validator set at this height has this node ID or key",
  "producer.key_not_held": "the node does not have the key of this signer",
  "producer.no_signers": "there is no signer: none is named, or the node has none of the validator set's keys",
  "producer.signers_too_new":
    "the subnet has validators now, but had none at this P-Chain height. With --warp-lag messages are verified at an earlier height: advance the clock by 31 seconds and mine a block, twice",
  "producer.height_too_large": "the height is above the last accepted block",
  "producer.not_a_manager_message":
    "the message is not one that a validator manager sends to the P-Chain: it is neither RegisterL1Validator nor L1ValidatorWeight",
  "producer.no_possession":
    "the node does not hold the BLS key of the new validator: give its proof of possession (`proofOfPossession`)",
  "producer.not_an_l1": "the subnet is not an L1: no ConvertSubnetToL1Tx has converted it",
  "producer.wrong_network": "the message is for another network",
  "producer.stopped": "the node is stopping",
  "producer.dropped": "the transaction was dropped with dev.dropTx",
  "producer.not_waiting": "the transaction is not in the mempool",
})
