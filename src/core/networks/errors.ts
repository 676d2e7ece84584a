import { refusals } from "../lib/invalid.js"

export const networkError = refusals({
  "network.unknown_name": {
    sentence: "the text names no network: mainnet, fuji, local, network-<id> or a number below 2^32",
    avalanchegoMessage: ({ text }) => `failed to parse network name: ${JSON.stringify(text)}`,
  },

  "network.unknown_alias": {
    sentence: "no chain has this name",
    avalanchegoMessage: ({ alias }) => `there is no ID with alias: ${alias}`,
  },

  "network.unknown_upgrade": "no upgrade has this name",
  "network.upgrade_file_malformed": "the upgrade file is not a JSON object",
  "network.upgrade_file_field": "a field of the upgrade file cannot be read",
  "network.upgrade_times_decrease": {
    sentence: "an upgrade's time is before the time of the previous upgrade",
    avalanchegoMessage: "invalid upgrade configuration",
  },

  "network.rules_fixed": "the rules of Mainnet and Fuji are fixed; this flag is for other networks",
  "network.flag_value": "the value of this flag cannot be read",
  "network.uptime_requirement": {
    sentence: "the uptime requirement is not between 0 and 1",
    avalanchegoMessage: "uptime requirement must be in the range [0, 1]",
  },
  "network.fees_overflow":
    "the fees of an L1 validator at this price do not fit in 64 bits before the year 9999, and the chain would end then: give a lower validator-fees-min-price",
  "network.stake_limits": {
    sentence: "the smallest validator stake is above the largest",
    avalanchegoMessage: "minimum validator stake can't be greater than maximum validator stake",
  },
  "network.delegation_fee": {
    sentence: "the smallest delegation fee is above 1,000,000 millionths",
    avalanchegoMessage: "delegation fee must be in the range [0, 1,000,000]",
  },
  "network.min_stake_duration": {
    sentence: "the shortest staking duration is not above zero",
    avalanchegoMessage: "min stake duration must be > 0",
  },
  "network.helicon_min_stake_duration": {
    sentence: "the shortest staking duration since Helicon is not above zero",
    avalanchegoMessage: "helicon min stake duration must be > 0",
  },
  "network.stake_durations": {
    sentence: "the longest staking duration is below the shortest",
    avalanchegoMessage: "max stake duration can't be less than min stake duration",
  },
  "network.helicon_stake_durations": {
    sentence: "the longest staking duration is below the shortest since Helicon",
    avalanchegoMessage: "max stake duration can't be less than helicon min stake duration",
  },
  "network.max_consumption_rate": {
    sentence: "the largest consumption rate is above 1,000,000 millionths",
    avalanchegoMessage: "max stake consumption must be less than or equal to 1000000",
  },
  "network.consumption_rates": {
    sentence: "the largest consumption rate is below the smallest",
    avalanchegoMessage: "stake max consumption can't be less than min stake consumption",
  },
  "network.minting_period": {
    sentence: "the minting period is shorter than the longest staking duration",
    avalanchegoMessage: "stake minting period can't be less than max stake duration",
  },
})
