import { goQuote } from "../../core/lib/go/goQuote.js"
import { refusals } from "../../core/lib/invalid.js"

const quoted = (value: unknown): string => goQuote(String(value))

/** Errors of the methods of `platform`, besides malformed parameters. */
export const platformError = refusals({
  "platform.bad_address": {
    sentence: "an address does not belong to this chain",
    avalanchegoMessage: ({ address, reference }) => `couldn't parse address ${quoted(address)}: ${reference}`,
  },
  "platform.bad_hex": "the bytes are not written in hex",
  "platform.too_many_bytes": "there are too many bytes to decode in one call",
  "platform.no_addresses": { sentence: "no address is given: name at least one", avalanchegoMessage: "no addresses provided" },
  "platform.too_many_addresses": "there are too many addresses in one call",
  "platform.unknown_source_chain": {
    sentence: "there is no such chain to import from",
    avalanchegoMessage: ({ sourceChain }) =>
      `problem parsing source chainID ${quoted(sourceChain)}: there is no ID with alias: ${sourceChain}`,
  },
  "platform.bad_start_index": "the start index is not the endIndex of a previous page",
  "platform.unsupported_encoding": {
    sentence: "this answer has no JSON form: ask for hex, hexc or hexnc",
    avalanchegoMessage: ({ reference }) => `${reference}unsupported encoding in method`,
  },
  "platform.unknown_block": {
    sentence: "there is no such block",
    avalanchegoMessage: ({ blockID, height }) =>
      `couldn't get block ${blockID === undefined ? `at height ${height}` : `with id ${blockID}`}: not found`,
  },
  "platform.unknown_tx": { sentence: "no accepted transaction has this ID", avalanchegoMessage: "couldn't get tx: not found" },
  "platform.no_blockchain": {
    sentence: "name a blockchain by its ID or alias",
    avalanchegoMessage: "argument 'blockchainID' not given",
  },
  "platform.bad_blockchain": {
    sentence: "this is neither an alias nor the ID of a blockchain",
    avalanchegoMessage: ({ blockchainID, reference }) => `problem parsing blockchainID ${quoted(blockchainID)}: ${reference}`,
  },
  "platform.bad_cycles": "the number of cycles is not between one and the largest that is estimated",
  "platform.renewed_delegation": "only validators renew themselves: leave out the number of cycles or the validator's share",
  "platform.no_supply": {
    sentence: "the subnet has no staking asset, so it has no supply",
    avalanchegoMessage: "fetching current supply failed: not found",
  },
  "platform.not_elastic": {
    sentence: "the subnet was never opened to stakers",
    avalanchegoMessage: ({ subnetID }) => `failed fetching subnet transformation for ${subnetID}: not found`,
  },
  "platform.unknown_l1_validator": {
    sentence: "no L1 validator has this validation ID",
    avalanchegoMessage: ({ validationID }) => `fetching L1 validator ${quoted(validationID)} failed: not found`,
  },
  "platform.primary_network": {
    sentence: "the primary network is not a subnet",
    avalanchegoMessage: "the primary network isn't a subnet",
  },
  "platform.unknown_subnet": "there is no such subnet",
  "platform.not_a_subnet": {
    sentence: "this is the ID of a transaction that created no subnet",
    avalanchegoMessage: ({ subnetID }) => `${quoted(subnetID)} is not a subnet`,
  },
  "platform.not_an_l1": "the subnet was not converted to an L1",
  "platform.height_not_kept": "this node has no record of the fees of L1 validators at this height, because it began later",
  "platform.time_passed": "the time must be after that of the last accepted block",
  "platform.time_beyond_forecast": "the fees are forecast only until an earlier time",
  "platform.unknown_blockchain": {
    sentence: "there is no such blockchain",
    avalanchegoMessage: ({ blockchainID }) => `problem retrieving blockchain ${quoted(blockchainID)}: not found`,
  },
  "platform.not_a_blockchain": {
    sentence: "this is the ID of a transaction that created no blockchain",
    avalanchegoMessage: ({ blockchainID }) => `${quoted(blockchainID)} is not a blockchain`,
  },
  "platform.future_height": {
    sentence: "the chain has not reached this height",
    avalanchegoMessage: ({ lastAccepted, height, reference }) =>
      `${reference}: current P-chain height (${lastAccepted}) < requested P-Chain height (${height})`,
  },
  "platform.no_validators": {
    sentence: "the subnet has no validators",
    avalanchegoMessage: ({ subnetID }) => `sampling ${subnetID} errored with missing validators`,
  },
  "platform.insufficient_weight": {
    sentence: "the total weight of the subnet's validators is less than the sample size",
    avalanchegoMessage: ({ subnetID }) => `sampling ${subnetID} errored with insufficient weight`,
  },
  "platform.weight_overflow": "the total weight of the subnet's validators is above 2^64 − 1",
  "platform.before_genesis": "the chain began after this time",
  "platform.unknown_utxo": "the P-Chain never had a UTXO with this ID",
  "platform.no_history": "this node keeps no history for explorers: it runs with --history off, or has not added it yet",
  "platform.history_incomplete":
    "the history of this node ends before the last block, because the rows of a block could not be made: run `serac repair`",
  "platform.too_many_filters":
    "a list of transactions can be about one subnet, chain, node, staker or L1 validator: name one of them",
  "platform.bad_cursor": "the cursor is not the cursor of a previous page",
})
