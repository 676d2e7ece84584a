import { goQuote } from "../../core/lib/goQuote.js"
import { refusals } from "../../core/lib/invalid.js"

const quoted = (value: unknown): string => goQuote(String(value))
const given = ({ reference }: { readonly reference?: unknown }): string => String(reference)

/** What the platform interface refuses, beyond parameters that are malformed. */
export const platformError = refusals({
  "platform.bad_address": {
    says: "an address is not one of this chain",
    reference: ({ address, reference }) => `couldn't parse address ${quoted(address)}: ${reference}`,
  },
  "platform.bad_hex": "the bytes are not written in hex",
  "platform.no_addresses": { says: "name one address at least", reference: "no addresses provided" },
  "platform.too_many_addresses": { says: "these are too many addresses at once", reference: given },
  "platform.unknown_source_chain": {
    says: "there is no such chain to import from",
    reference: ({ sourceChain }) =>
      `problem parsing source chainID ${quoted(sourceChain)}: there is no ID with alias: ${sourceChain}`,
  },
  "platform.bad_start_index": { says: "the start index is not one that a page ended with", reference: given },
  "platform.unsupported_encoding": {
    says: "this answer has no JSON form: ask for hex, hexc or hexnc",
    reference: ({ reference }) => `${reference}unsupported encoding in method`,
  },
  "platform.unknown_block": {
    says: "there is no such block",
    reference: ({ blockID, height }) =>
      `couldn't get block ${blockID === undefined ? `at height ${height}` : `with id ${blockID}`}: not found`,
  },
  "platform.unknown_tx": { says: "no accepted transaction has this ID", reference: "couldn't get tx: not found" },
  "platform.no_blockchain": { says: "name a blockchain by its ID or alias", reference: "argument 'blockchainID' not given" },
  "platform.bad_blockchain": {
    says: "this is neither an alias nor the ID of a blockchain",
    reference: ({ blockchainID, reference }) => `problem parsing blockchainID ${quoted(blockchainID)}: ${reference}`,
  },
  "platform.no_supply": {
    says: "the subnet has no staking asset, and so no supply",
    reference: "fetching current supply failed: not found",
  },
  "platform.not_elastic": {
    says: "the subnet was never opened to stakers",
    reference: ({ subnetID }) => `failed fetching subnet transformation for ${subnetID}: not found`,
  },
  "platform.unknown_l1_validator": {
    says: "no L1 validator has this validation ID",
    reference: ({ validationID }) => `fetching L1 validator ${quoted(validationID)} failed: not found`,
  },
  "platform.primary_network": { says: "the primary network is no subnet", reference: "the primary network isn't a subnet" },
  "platform.unknown_subnet": { says: "there is no such subnet", reference: given },
  "platform.not_a_subnet": {
    says: "this is the ID of a transaction that made no subnet",
    reference: ({ subnetID }) => `${quoted(subnetID)} is not a subnet`,
  },
  "platform.unknown_blockchain": {
    says: "there is no such blockchain",
    reference: ({ blockchainID }) => `problem retrieving blockchain ${quoted(blockchainID)}: not found`,
  },
  "platform.not_a_blockchain": {
    says: "this is the ID of a transaction that made no blockchain",
    reference: ({ blockchainID }) => `${quoted(blockchainID)} is not a blockchain`,
  },
  "platform.future_height": {
    says: "the chain has not reached this height",
    reference: ({ lastAccepted, height, reference }) =>
      `${reference}: current P-chain height (${lastAccepted}) < requested P-Chain height (${height})`,
  },
  "platform.no_validators": {
    says: "the subnet has no validators",
    reference: ({ subnetID }) => `sampling ${subnetID} errored with missing validators`,
  },
  "platform.insufficient_weight": {
    says: "the subnet's validators have less weight than that together",
    reference: ({ subnetID }) => `sampling ${subnetID} errored with insufficient weight`,
  },
  "platform.bad_cursor": "the cursor is not one that a page ended with",
})
