import { goTimeText } from "../lib/go/goTime.js"
import { type RefusalData, refusals } from "../lib/invalid.js"

const PERCENT = 1_000_000

export const txError = refusals({
  "tx.wrong_network": { sentence: "the transaction is for another network", avalanchegoMessage: "tx has wrong network ID" },
  "tx.wrong_chain": { sentence: "the transaction is for another chain", avalanchegoMessage: "tx has wrong chain ID" },
  "tx.memo_too_long": {
    sentence: "the memo is too long",
    avalanchegoMessage: ({ size, limit }) => `memo exceeds maximum length: ${size} > ${limit}`,
  },
  "tx.too_many_shares": {
    sentence: "the delegation fee is above 100 %",
    avalanchegoMessage: `a staker can only require at most ${PERCENT} shares from delegators`,
  },
  "tx.too_many_restaked_shares": {
    sentence: "more than 100 % of the rewards would be restaked",
    avalanchegoMessage: `a staker can only restake at most ${PERCENT} shares from rewards`,
  },
  "tx.missing_period": { sentence: "the period is zero", avalanchegoMessage: "missing period" },
  "tx.missing_signer": { sentence: "the validator has no BLS key", avalanchegoMessage: "missing signer" },
  "tx.missing_tx_id": { sentence: "the transaction ID is empty", avalanchegoMessage: "missing tx id" },
  "tx.missing_timestamp": { sentence: "the timestamp is zero", avalanchegoMessage: "missing timestamp" },
  "tx.invalid_staked_asset": { sentence: "the stake is not AVAX", avalanchegoMessage: "invalid staked asset" },
  "tx.zero_weight": { sentence: "the validator's weight is zero", avalanchegoMessage: "weight of this validator is too low" },
  "tx.empty_node_id": {
    sentence: "the node ID is empty",
    avalanchegoMessage: ({ reference }) => String(reference ?? "validator nodeID cannot be empty"),
  },
  "tx.bad_node_id": {
    sentence: "the node ID does not have 20 bytes",
    avalanchegoMessage: ({ size, reference }) => String(reference ?? `invalid hash length: expected 20 bytes but got ${size}`),
  },
  "tx.no_stake": { sentence: "nothing is staked", avalanchegoMessage: "no stake" },
  "tx.stake_not_avax": {
    sentence: "the stake is not AVAX",
    avalanchegoMessage: ({ asset }) => `stake must be AVAX but is "${asset}"`,
  },
  "tx.several_stake_assets": {
    sentence: "the stake is of several assets",
    avalanchegoMessage: ({ first, other }) => `multiple staked assets: "${first}" and "${other}"`,
  },
  "tx.stake_weight_mismatch": {
    sentence: "the stake does not add up to the weight",
    avalanchegoMessage: ({ weight, stake }) => `validator weight mismatch: weight ${weight} != stake ${stake}`,
  },
  "tx.delegation_weight_mismatch": {
    sentence: "the stake does not add up to the weight",
    avalanchegoMessage: ({ weight, stake }) =>
      `delegator weight is not equal to total stake weight, delegator weight ${weight} total stake weight ${stake}`,
  },
  "tx.wrong_signer": {
    sentence: "validators of the primary network have a BLS key, others have none",
    avalanchegoMessage: ({ hasKey, isPrimaryNetwork }) =>
      `invalid signer: hasKey=${hasKey} != isPrimaryNetwork=${isPrimaryNetwork}`,
  },
  "tx.subnet_is_primary_network": "the primary network cannot be used as the subnet here",
  "tx.chain_name_too_long": { sentence: "the chain's name is longer than 128 bytes", avalanchegoMessage: "name too long" },
  "tx.chain_name_character": {
    sentence: "a chain's name has only letters, digits and spaces",
    avalanchegoMessage: "illegal name character",
  },
  "tx.empty_vm": { sentence: "the VM ID is empty", avalanchegoMessage: "invalid VM ID" },
  "tx.fx_unsorted": {
    sentence: "the feature extensions are not strictly ascending",
    avalanchegoMessage: "feature extensions IDs must be sorted and unique",
  },
  "tx.genesis_too_long": { sentence: "the chain's genesis is longer than 1 MiB", avalanchegoMessage: "genesis too long" },
  "tx.nothing_imported": { sentence: "nothing is imported", avalanchegoMessage: "tx has no imported inputs" },
  "tx.nothing_exported": { sentence: "nothing is exported", avalanchegoMessage: "no export outputs" },
  "tx.exports_locked": { sentence: "stakeable-locked outputs cannot be exported", avalanchegoMessage: "wrong locktime reported" },
  "tx.asset_is_avax": { sentence: "a subnet's asset may not be AVAX", avalanchegoMessage: "asset ID can't be AVAX" },
  "tx.transformation": "a number of the transformation is out of its bounds",
  "tx.manager_address_too_long": {
    sentence: "the manager's address is longer than 4096 bytes",
    avalanchegoMessage: "address is too long",
  },
  "tx.no_validators": {
    sentence: "the conversion has no validators",
    avalanchegoMessage: "conversion must include at least one validator",
  },
  "tx.validators_unsorted": {
    sentence: "the validators are not strictly ascending by node ID",
    avalanchegoMessage: "conversion validators must be sorted and unique",
  },
  "tx.zero_l1_weight": {
    sentence: "the validator's weight is zero",
    avalanchegoMessage: ({ reference }) => String(reference ?? "validator weight must be non-zero"),
  },
  "tx.zero_balance": { sentence: "the balance to add is zero", avalanchegoMessage: "balance must be greater than 0" },

  "tx.not_yet_allowed": "the kind of transaction is not allowed yet",
  "tx.no_longer_allowed": "the kind of transaction is not allowed any more",
  "tx.unmetered": {
    sentence: "this kind of transaction cannot be metered and is not allowed since Etna",
    avalanchegoMessage: "unsupported transaction type",
  },
  "tx.fee_overflow": {
    sentence: "the fee does not fit in 64 bits",
    avalanchegoMessage: ({ gas, price }) => `error calculating cost with gas (${gas}) and price (${price}): overflow`,
  },
  "tx.mints": { sentence: "the transaction produces more AVAX than it consumes", avalanchegoMessage: "AVAX minted" },
  "tx.wrong_place": { sentence: "this kind of transaction is not allowed here", avalanchegoMessage: "wrong transaction type" },
  "tx.removes_permissionless": {
    sentence: "only permissioned validators can be removed",
    avalanchegoMessage: "attempting to remove permissionless validator",
  },
  "tx.max_stake_duration": {
    sentence: "the longest staking period is above the network's",
    avalanchegoMessage: "max stake duration must be less than or equal to the global max stake duration",
  },
  "tx.unknown_l1_validator": "no L1 validator has this validation ID",
  "tx.nonce_reserved": {
    sentence: "the largest nonce is reserved for removals",
    avalanchegoMessage: "maxUint64 nonce is reserved for removal",
  },
  "tx.stale_nonce": {
    sentence: "the nonce was already used",
    avalanchegoMessage: ({ nonce, minNonce }) => `warp message contains stale nonce ${nonce} must be at least ${minNonce}`,
  },
  "tx.last_l1_validator": {
    sentence: "the last validator of an L1 cannot be removed",
    avalanchegoMessage: "attempting to remove the last L1 validator from a converted subnet",
  },
  "tx.registration_expired": {
    sentence:
      "the registration has expired by the P-Chain's clock; a validator manager counts a day from the clock of its own chain, and the P-Chain's must not be a day ahead of it",
    avalanchegoMessage: ({ expiry, chainTime }) => `warp message expired at ${expiry} and it is currently ${chainTime}`,
  },
  "tx.registration_too_early": {
    sentence:
      "the registration expires more than a day after the P-Chain's time; a validator manager counts a day from the clock of its own chain, and the P-Chain's must not be behind it",
    avalanchegoMessage: ({ ahead, limit }) =>
      `warp message not yet allowed because time is ${ahead} seconds in the future but the limit is ${limit}`,
  },
  "tx.registration_used": {
    sentence: "the registration was already used",
    avalanchegoMessage: ({ validationID }) => `warp message already issued for validationID ${validationID}`,
  },
  "tx.bad_registration_owner": {
    sentence: "an owner of the registration is malformed",
    avalanchegoMessage: ({ reason }) => `invalid owner: ${reason}`,
  },
  "tx.proposed_after_banff": {
    sentence: "stakers are not added by proposals any more",
    avalanchegoMessage: (data) => `staker transaction proposed after Banff: timestamp ${againstBanff(data)}`,
  },
  "tx.time_after_banff": {
    sentence: "the time is not advanced by transactions since Banff",
    avalanchegoMessage: (data) => `AdvanceTimeTx issued after Banff: proposed timestamp ${againstBanff(data)}`,
  },
  "tx.reward_of_nobody": { sentence: "the reward transaction names no staker", avalanchegoMessage: "invalid ID" },
  "tx.no_staker_left": { sentence: "there is no staker", avalanchegoMessage: "failed to get next staker to remove: not found" },
  "tx.wrong_staker": {
    sentence: "another staker leaves first",
    avalanchegoMessage: ({ next, got }) => `attempting to remove wrong staker: ${next} != ${got}`,
  },
  "tx.staker_too_early": {
    sentence: "the staker's period is not over",
    avalanchegoMessage: ({ txID, end, chainTime }) =>
      `attempting to remove staker before their end time: TxID = ${txID} with ${goTimeText(chainTime as bigint)} < ${goTimeText(end as bigint)}`,
  },
  "tx.not_permissionless": {
    sentence: "the staker is not rewarded by this kind of transaction",
    avalanchegoMessage: ({ kind }) => `unexpected staker transaction type: *txs.${kind}`,
  },
  "tx.not_auto_renewed": {
    sentence: "the staker is not an auto-renewed validator",
    avalanchegoMessage: "expected auto renewed staker",
  },
  "tx.staker_tx_missing": {
    sentence: "the transaction that made the staker is not known",
    avalanchegoMessage: "failed to get next removed staker tx: not found",
  },
  "tx.wrong_timestamp": { sentence: "the timestamp is not the chain's time", avalanchegoMessage: "invalid timestamp" },
  "tx.unknown_staker_tx": { sentence: "there is no such transaction", avalanchegoMessage: "getting staker tx: not found" },
  "tx.invalid_staker_tx_type": {
    sentence: "the transaction did not add an auto-renewed validator",
    avalanchegoMessage: ({ kind }) => `invalid staker tx type: *txs.${kind}`,
  },
  "tx.validator_gone": {
    sentence: "the node does not validate the primary network any more",
    avalanchegoMessage: ({ nodeID }) => `getting validator ${nodeID} from state: not found`,
  },
  "tx.wrong_validator": {
    sentence: "another transaction made the node's present validator",
    avalanchegoMessage: "invalid staker tx: wrong tx id",
  },
  "tx.no_validator_to_reward": "the delegator's validator does not exist any more",
})

const againstBanff = ({ time, banff }: RefusalData): string =>
  `(${goTimeText(time as bigint)}) >= Banff fork time (${goTimeText(banff as bigint)})`
