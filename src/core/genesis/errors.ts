import { refusals } from "../lib/invalid.js"

/** What is wrong with a genesis file, or with the choice of a genesis. */
export const genesisError = refusals({
  "genesis.malformed": { says: "the genesis file is not JSON", reference: "could not unmarshal genesis JSON" },
  "genesis.bad_field": {
    says: "a field of the genesis file cannot be read",
    reference: ({ reference }) => String(reference ?? "could not unmarshal genesis JSON"),
  },

  "genesis.wrong_network": {
    says: "the genesis file is for another network",
    reference: ({ expected, got }) => `conflicting networkIDs: expected ${expected} but config contains ${got}`,
  },
  "genesis.supply_overflow": {
    says: "the allocations add up to more than 64 bits hold",
    reference: "unable to calculate initial supply: overflow",
  },
  "genesis.no_supply": { says: "the allocations add up to nothing", reference: "initial supply must be > 0" },
  "genesis.future_start": { says: "the start time lies in the future", reference: "startTime cannot be in the future" },
  "genesis.no_stake_duration": {
    says: "the initial stake duration is zero",
    reference: "initial stake duration must be > 0",
  },
  "genesis.stake_duration_too_long": {
    says: "the initial stake duration is longer than anyone may stake",
    reference: "initial stake duration larger than maximum configured",
  },
  "genesis.no_stakers": { says: "there are no initial stakers", reference: "initial stakers must be > 0" },
  "genesis.stake_duration_too_short": {
    says: "the initial stake duration is too short for the stakers' offsets",
    reference: ({ required }) => `initial stake duration is too low must be at least ${required}`,
  },
  "genesis.no_staked_funds": {
    says: "there are no initially staked funds",
    reference: "initial staked funds validation failed: initial staked funds cannot be empty",
  },
  "genesis.doubled_staked_funds": {
    says: "an address stands twice among the initially staked funds",
    reference: ({ address }) => `initial staked funds validation failed: duplicate initially staked address: ${address}`,
  },
  "genesis.nothing_to_stake": {
    says: "an address of the initially staked funds has no allocation",
    reference: ({ address }) => `initial staked funds validation failed: no allocation to stake in address ${address}`,
  },
  "genesis.locked_amount_too_low": {
    says: "the unlock schedules hold less than one nAVAX per staker",
    reference: ({ locked, stakers }) => `total allocations locked amount is too low: ${locked} locked < ${stakers} stakers`,
  },
  "genesis.no_c_chain_genesis": { says: "the C-Chain genesis is empty", reference: "C-Chain genesis cannot be empty" },

  "genesis.zero_weight": { says: "a validator would have no stake", reference: "validator has not weight" },
  "genesis.validator_over": {
    says: "a validator would have ended when the chain starts",
    reference: "validator would have already unstaked",
  },
  "genesis.message_too_long": {
    says: "the message has more than 65535 bytes",
    reference: "input does not match expected format",
  },

  "genesis.misplaced_tx": "a transaction of this kind may not stand here in a genesis",
  "genesis.no_chain": {
    says: "the genesis has no chain of this VM",
    reference: ({ vmID }) => `couldn't find blockchain with VM ID ${vmID}`,
  },
  "genesis.no_asset": { says: "the X-Chain genesis has no asset", reference: "genesis creates no transactions" },

  "genesis.file_needed": "Mainnet and Fuji start from their published genesis, which was not given",
  "genesis.not_published": "the genesis file does not give this network's published genesis",
  "genesis.file_not_allowed": {
    says: "the local network's genesis is fixed; choose another network ID to use a genesis file",
    reference: ({ network }) => `overrides standard network genesis config: ${network}`,
  },
  "genesis.start_time_with_file": "a start time is for the built-in genesis; a genesis file brings its own",
})
