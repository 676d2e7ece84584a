import { refusals } from "../core/lib/invalid.js"

/** What the private chain's producer refuses. */
export const producerError = refusals({
  "producer.bad_mnemonic": "a phrase has 12, 15, 18, 21 or 24 words",
  "producer.unknown_word": "a word of the phrase is not in BIP-39's English list",
  "producer.bad_checksum": "the words of the phrase do not belong together: one of them is wrong or out of place",
  "producer.too_many_accounts":
    "one transaction cannot fund so many accounts: ask for fewer (--accounts), or raise --dynamic-fees-max-gas-capacity",
  "producer.unaffordable_accounts":
    "the key that funds the accounts does not own as much: ask for fewer (--accounts), or for less on each (--balance)",
  "producer.unknown_account": "no account of dev.accounts has this address",
  "producer.insufficient_funds": "the funded key has not enough AVAX that is free to spend",
  "producer.too_little_gas": "the transaction takes more gas than a block can ever hold",
  "producer.reverted": "the chain went back before the transaction was accepted",
  "producer.bad_interval": "an interval is a number of seconds above 0, and at most a day",
  "producer.time_in_the_past": "time only goes forward",
  "producer.time_too_far": "the time lies too far ahead: the year 9999 is the last",
  "producer.time_span_too_long":
    "the clock would move by more than 100 years, which takes long: times are in seconds, not milliseconds; add `force: true` if it is meant",
  "producer.frozen_without_gas":
    "there is not enough gas for the transaction, and none comes back while the clock stands still: move it with dev.advanceTime",
  "producer.start_too_early": "a chain cannot start before its genesis: choose a later start time",
  "producer.unknown_validator":
    "nobody validates the primary network at this node: check the node ID with platform.getCurrentValidators, or add the validator first",
  "producer.unknown_snapshot": "no snapshot has this ID",
  "producer.bad_dump": "these bytes are no state of this program",
  "producer.newer_dump": "the state was written by a newer version of this program",
  "producer.other_dump": "the state belongs to another network or other rules",
  "producer.unknown_signer": "no member of the validator set at this height has this node ID or key",
  "producer.key_not_held": "the key of this signer is not held here",
  "producer.no_signers": "nobody signs: no signer is named, or none of the validator set's keys is held here",
  "producer.wrong_network": "the message is for another network",
  "producer.stopped": "the node is stopping",
  "producer.dropped": "somebody dropped the transaction (dev.dropTx)",
  "producer.not_waiting": "no such transaction waits",
})
