import { goTimeText } from "../lib/goTime.js"
import { type RefusalData, refusals } from "../lib/invalid.js"

const PERCENT = 1_000_000

/** What is wrong with a transaction by itself. */
export const txError = refusals({
  "tx.wrong_network": { says: "the transaction is for another network", reference: "tx has wrong network ID" },
  "tx.wrong_chain": { says: "the transaction is for another chain", reference: "tx has wrong chain ID" },
  "tx.memo_too_long": {
    says: "the memo is too long",
    reference: ({ size, limit }) => `memo exceeds maximum length: ${size} > ${limit}`,
  },
  "tx.too_many_shares": {
    says: "the delegation fee is above 100 %",
    reference: `a staker can only require at most ${PERCENT} shares from delegators`,
  },
  "tx.too_many_restaked_shares": {
    says: "more than 100 % of the rewards would be restaked",
    reference: `a staker can only restake at most ${PERCENT} shares from rewards`,
  },
  "tx.missing_period": { says: "the period is zero", reference: "missing period" },
  "tx.missing_signer": { says: "the validator has no BLS key", reference: "missing signer" },
  "tx.missing_tx_id": { says: "the transaction ID is empty", reference: "missing tx id" },
  "tx.missing_timestamp": { says: "the timestamp is zero", reference: "missing timestamp" },
  "tx.invalid_staked_asset": { says: "the stake is not AVAX", reference: "invalid staked asset" },
  "tx.zero_weight": { says: "the validator's weight is zero", reference: "weight of this validator is too low" },
  "tx.empty_node_id": {
    says: "the node ID is empty",
    reference: ({ reference }) => String(reference ?? "validator nodeID cannot be empty"),
  },
  "tx.bad_node_id": {
    says: "a node ID has 20 bytes",
    reference: ({ size, reference }) => String(reference ?? `invalid hash length: expected 20 bytes but got ${size}`),
  },
  "tx.no_stake": { says: "nothing is staked", reference: "no stake" },
  "tx.stake_not_avax": { says: "the stake is not AVAX", reference: ({ asset }) => `stake must be AVAX but is "${asset}"` },
  "tx.several_stake_assets": {
    says: "the stake is of several assets",
    reference: ({ first, other }) => `multiple staked assets: "${first}" and "${other}"`,
  },
  "tx.stake_weight_mismatch": {
    says: "the stake does not add up to the weight",
    reference: ({ weight, stake }) => `validator weight mismatch: weight ${weight} != stake ${stake}`,
  },
  "tx.delegation_weight_mismatch": {
    says: "the stake does not add up to the weight",
    reference: ({ weight, stake }) =>
      `delegator weight is not equal to total stake weight, delegator weight ${weight} total stake weight ${stake}`,
  },
  "tx.wrong_signer": {
    says: "validators of the primary network have a BLS key, others have none",
    reference: ({ hasKey, isPrimaryNetwork }) => `invalid signer: hasKey=${hasKey} != isPrimaryNetwork=${isPrimaryNetwork}`,
  },
  "tx.subnet_is_primary_network": {
    says: "the primary network is no subnet of anyone",
    reference: ({ reference }) => String(reference),
  },
  "tx.chain_name_too_long": { says: "the chain's name is longer than 128 bytes", reference: "name too long" },
  "tx.chain_name_character": { says: "a chain's name has only letters, digits and spaces", reference: "illegal name character" },
  "tx.empty_vm": { says: "the VM ID is empty", reference: "invalid VM ID" },
  "tx.fx_unsorted": {
    says: "the feature extensions are not strictly ascending",
    reference: "feature extensions IDs must be sorted and unique",
  },
  "tx.genesis_too_long": { says: "the chain's genesis is longer than 1 MiB", reference: "genesis too long" },
  "tx.nothing_imported": { says: "nothing is imported", reference: "tx has no imported inputs" },
  "tx.nothing_exported": { says: "nothing is exported", reference: "no export outputs" },
  "tx.exports_locked": { says: "what is stakeable-locked cannot be exported", reference: "wrong locktime reported" },
  "tx.asset_is_avax": { says: "a subnet's asset may not be AVAX", reference: "asset ID can't be AVAX" },
  "tx.transformation": {
    says: "a number of the transformation is out of its bounds",
    reference: ({ reference }) => String(reference),
  },
  "tx.manager_address_too_long": { says: "the manager's address is longer than 4096 bytes", reference: "address is too long" },
  "tx.no_validators": {
    says: "a conversion names at least one validator",
    reference: "conversion must include at least one validator",
  },
  "tx.validators_unsorted": {
    says: "the validators are not strictly ascending by node ID",
    reference: "conversion validators must be sorted and unique",
  },
  "tx.zero_l1_weight": {
    says: "the validator's weight is zero",
    reference: ({ reference }) => String(reference ?? "validator weight must be non-zero"),
  },
  "tx.zero_balance": { says: "the balance to add is zero", reference: "balance must be greater than 0" },

  "tx.not_yet_allowed": { says: "the kind of transaction is not allowed yet", reference: ({ reference }) => String(reference) },
  "tx.no_longer_allowed": {
    says: "the kind of transaction is not allowed any more",
    reference: ({ reference }) => String(reference),
  },
  "tx.unmetered": {
    says: "the kind of transaction cannot be metered, and ended with Etna",
    reference: "unsupported transaction type",
  },
  "tx.fee_overflow": {
    says: "the fee does not fit in 64 bits",
    reference: ({ gas, price }) => `error calculating cost with gas (${gas}) and price (${price}): overflow`,
  },
  "tx.mints": { says: "more AVAX comes out of the transaction than goes in", reference: "AVAX minted" },
  "tx.wrong_place": { says: "the kind of transaction may not stand here", reference: "wrong transaction type" },
  "tx.removes_permissionless": {
    says: "only permissioned validators can be removed",
    reference: "attempting to remove permissionless validator",
  },
  "tx.max_stake_duration": {
    says: "the longest staking period is above the network's",
    reference: "max stake duration must be less than or equal to the global max stake duration",
  },
  "tx.unknown_l1_validator": { says: "no L1 validator has this validation ID", reference: ({ reference }) => String(reference) },
  "tx.nonce_reserved": { says: "the largest nonce is for removal alone", reference: "maxUint64 nonce is reserved for removal" },
  "tx.stale_nonce": {
    says: "the nonce was used already",
    reference: ({ nonce, minNonce }) => `warp message contains stale nonce ${nonce} must be at least ${minNonce}`,
  },
  "tx.last_l1_validator": {
    says: "an L1 keeps at least one validator",
    reference: "attempting to remove the last L1 validator from a converted subnet",
  },
  "tx.registration_expired": {
    says: "the registration has expired",
    reference: ({ expiry, chainTime }) => `warp message expired at ${expiry} and it is currently ${chainTime}`,
  },
  "tx.registration_too_early": {
    says: "the registration expires more than a day ahead",
    reference: ({ ahead, limit }) =>
      `warp message not yet allowed because time is ${ahead} seconds in the future but the limit is ${limit}`,
  },
  "tx.registration_used": {
    says: "the registration was used already",
    reference: ({ validationID }) => `warp message already issued for validationID ${validationID}`,
  },
  "tx.bad_registration_owner": {
    says: "an owner of the registration is malformed",
    reference: ({ reason }) => `invalid owner: ${reason}`,
  },
  "tx.proposed_after_banff": {
    says: "stakers are not proposed any more",
    reference: (data) => `staker transaction proposed after Banff: timestamp ${againstBanff(data)}`,
  },
  "tx.time_after_banff": {
    says: "blocks carry the time since Banff",
    reference: (data) => `AdvanceTimeTx issued after Banff: proposed timestamp ${againstBanff(data)}`,
  },
  "tx.reward_of_nobody": { says: "the reward names no staker", reference: "invalid ID" },
  "tx.no_staker_left": { says: "nobody stakes", reference: "failed to get next staker to remove: not found" },
  "tx.wrong_staker": {
    says: "another staker leaves first",
    reference: ({ next, got }) => `attempting to remove wrong staker: ${next} != ${got}`,
  },
  "tx.staker_too_early": {
    says: "the staker's period is not over",
    reference: ({ txID, end, chainTime }) =>
      `attempting to remove staker before their end time: TxID = ${txID} with ${goTimeText(chainTime as bigint)} < ${goTimeText(end as bigint)}`,
  },
  "tx.not_permissionless": {
    says: "the staker is not rewarded by this kind of transaction",
    reference: ({ kind }) => `unexpected staker transaction type: *txs.${kind}`,
  },
  "tx.not_auto_renewed": { says: "the staker is not an auto-renewed validator", reference: "expected auto renewed staker" },
  "tx.staker_tx_missing": {
    says: "the transaction that made the staker is not known",
    reference: "failed to get next removed staker tx: not found",
  },
  "tx.wrong_timestamp": { says: "the timestamp is not the chain's time", reference: "invalid timestamp" },
  "tx.unknown_staker_tx": { says: "there is no such transaction", reference: "getting staker tx: not found" },
  "tx.invalid_staker_tx_type": {
    says: "the transaction made no auto-renewed validator",
    reference: ({ kind }) => `invalid staker tx type: *txs.${kind}`,
  },
  "tx.validator_gone": {
    says: "the node does not validate the primary network any more",
    reference: ({ nodeID }) => `getting validator ${nodeID} from state: not found`,
  },
  "tx.wrong_validator": {
    says: "another transaction made the node's present validator",
    reference: "invalid staker tx: wrong tx id",
  },
  "tx.no_validator_to_reward": "the delegator's validator is gone",
})

const againstBanff = ({ time, banff }: RefusalData): string =>
  `(${goTimeText(time as bigint)}) >= Banff fork time (${goTimeText(banff as bigint)})`
