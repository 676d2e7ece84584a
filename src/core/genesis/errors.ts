import { refusals } from "../lib/invalid.js"

export const genesisError = refusals({
  "genesis.malformed": { sentence: "the genesis file is not JSON", avalanchegoMessage: "could not unmarshal genesis JSON" },
  "genesis.bad_field": {
    sentence: "a field of the genesis file cannot be read",
    avalanchegoMessage: ({ reference }) => String(reference ?? "could not unmarshal genesis JSON"),
  },

  "genesis.wrong_network": {
    sentence: "the genesis file is for another network",
    avalanchegoMessage: ({ expected, got }) => `conflicting networkIDs: expected ${expected} but config contains ${got}`,
  },
  "genesis.supply_overflow": {
    sentence: "the allocations add up to more than 64 bits hold",
    avalanchegoMessage: "unable to calculate initial supply: overflow",
  },
  "genesis.no_supply": { sentence: "the allocations add up to nothing", avalanchegoMessage: "initial supply must be > 0" },
  "genesis.future_start": {
    sentence: "the start time is in the future",
    avalanchegoMessage: "startTime cannot be in the future",
  },
  "genesis.no_stake_duration": {
    sentence: "the initial stake duration is zero",
    avalanchegoMessage: "initial stake duration must be > 0",
  },
  "genesis.stake_duration_too_long": {
    sentence: "the initial stake duration is longer than the longest staking period",
    avalanchegoMessage: "initial stake duration larger than maximum configured",
  },
  "genesis.no_stakers": { sentence: "there are no initial stakers", avalanchegoMessage: "initial stakers must be > 0" },
  "genesis.stake_duration_too_short": {
    sentence: "the initial stake duration is too short for the stakers' offsets",
    avalanchegoMessage: ({ required }) => `initial stake duration is too low must be at least ${required}`,
  },
  "genesis.no_staked_funds": {
    sentence: "there are no initially staked funds",
    avalanchegoMessage: "initial staked funds validation failed: initial staked funds cannot be empty",
  },
  "genesis.doubled_staked_funds": {
    sentence: "an address occurs twice among the initially staked funds",
    avalanchegoMessage: ({ address }) => `initial staked funds validation failed: duplicate initially staked address: ${address}`,
  },
  "genesis.nothing_to_stake": {
    sentence: "an address of the initially staked funds has no allocation",
    avalanchegoMessage: ({ address }) => `initial staked funds validation failed: no allocation to stake in address ${address}`,
  },
  "genesis.locked_amount_too_low": {
    sentence: "the unlock schedules hold less than one nAVAX per staker",
    avalanchegoMessage: ({ locked, stakers }) =>
      `total allocations locked amount is too low: ${locked} locked < ${stakers} stakers`,
  },
  "genesis.no_c_chain_genesis": {
    sentence: "the C-Chain genesis is empty",
    avalanchegoMessage: "C-Chain genesis cannot be empty",
  },

  "genesis.zero_weight": { sentence: "a validator would have no stake", avalanchegoMessage: "validator has not weight" },
  "genesis.validator_over": {
    sentence: "the staking period of a validator would be over when the chain starts",
    avalanchegoMessage: "validator would have already unstaked",
  },
  "genesis.bad_proof": {
    sentence: "the proof of possession of a validator is invalid",
    avalanchegoMessage: "invalid proof of possession",
  },
  "genesis.message_too_long": {
    sentence: "the message has more than 65535 bytes",
    avalanchegoMessage: "input does not match expected format",
  },

  "genesis.misplaced_tx": "a transaction of this kind is not allowed at this place of a genesis",
  "genesis.no_chain": {
    sentence: "the genesis has no chain of this VM",
    avalanchegoMessage: ({ vmID }) => `couldn't find blockchain with VM ID ${vmID}`,
  },
  "genesis.no_asset": { sentence: "the X-Chain genesis has no asset", avalanchegoMessage: "genesis creates no transactions" },

  "genesis.tied_holders":
    "two of more than 12 allocations have the same amount and address and other Ethereum addresses, and the order in which AvalancheGo sorts them is not known: list the allocations by amount and address, and those in the order of the X-Chain's memo",

  "genesis.file_needed": "Mainnet and Fuji start from their published genesis, which was not given",
  "genesis.not_published": "the genesis file does not give this network's published genesis",
  "genesis.file_not_allowed": {
    sentence: "the local network's genesis is fixed; choose another network ID to use a genesis file",
    avalanchegoMessage: ({ network }) => `overrides standard network genesis config: ${network}`,
  },
  "genesis.start_time_with_file": "a start time can only be given for the built-in genesis; a genesis file contains its own",
})
