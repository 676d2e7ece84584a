import { goTimeText } from "../lib/go/goTime.js"
import { type RefusalData, refusals } from "../lib/invalid.js"

export const rulesError = refusals({
  "rules.insufficient_capacity": {
    sentence: "the block uses more gas than is available now",
    avalanchegoMessage: ({ capacity, gas }) => `insufficient capacity: capacity (${capacity}) < gas (${gas})`,
  },

  "rules.time_locked": { sentence: "the owner's lock time is in the future", avalanchegoMessage: "output is time locked" },
  "rules.too_few_signers": {
    sentence: "there are fewer signers than the threshold",
    avalanchegoMessage: "input has less signers than expected",
  },
  "rules.too_many_signers": {
    sentence: "there are more signers than the threshold",
    avalanchegoMessage: "input has more signers than expected",
  },
  "rules.signature_count": {
    sentence: "the credential has another number of signatures than there are signers",
    avalanchegoMessage: "input expected a different number of signers than provided in the credential",
  },
  "rules.no_such_address": {
    sentence: "a signature index points beyond the owner's addresses",
    avalanchegoMessage: "input referenced a nonexistent address in the output",
  },
  "rules.wrong_signature": {
    sentence: "a signature was made with another key",
    avalanchegoMessage: ({ expected, got }) => `wrong signature: expected signature from ${expected} but got from ${got}`,
  },
  "rules.wrong_credential_type": {
    sentence: "the credential is of the wrong type",
    avalanchegoMessage: "wrong credential type",
  },
  "rules.auth_of_primary_network": {
    sentence: "the authorisation is a transaction for a validator of the primary network",
    avalanchegoMessage: "subnet ID can't be primary network ID",
  },
  "rules.auth_without_weight": {
    sentence: "the authorisation is a transaction for a validator without weight",
    avalanchegoMessage: "weight of this validator is too low",
  },
  "rules.wrong_auth_type": { sentence: "the authorisation is of the wrong type", avalanchegoMessage: "wrong input type" },
  "rules.unpriced_auth": { sentence: "the authorisation is of the wrong type", avalanchegoMessage: "unsupported auth type" },
  "rules.no_credential": {
    sentence: "the authorisation has no credential",
    avalanchegoMessage: "should have the same number of credentials as inputs",
  },
  "rules.unexpected_credential": {
    sentence: "a transaction that the chain makes itself has a credential",
    avalanchegoMessage: "should have the same number of credentials as inputs",
  },
  "rules.unauthorized": {
    sentence: "the last credential is not an authorisation by the owner",
    avalanchegoMessage: ({ reason }) => `unauthorized modification: ${reason}`,
  },

  "rules.unknown_subnet": { sentence: "there is no such subnet", avalanchegoMessage: "not found" },
  "rules.not_a_subnet": {
    sentence: "the ID belongs to a transaction that did not create a subnet",
    avalanchegoMessage: ({ subnetID }) => `"${subnetID}" is not a subnet`,
  },
  "rules.subnet_immutable": {
    sentence: "the subnet was transformed or converted",
    avalanchegoMessage: ({ subnetID }) => `"${subnetID}" is immutable`,
  },
  "rules.unknown_chain": {
    sentence: "there is no such chain",
    avalanchegoMessage: ({ chainID }) => `problem retrieving blockchain "${chainID}": not found`,
  },
  "rules.not_a_chain": {
    sentence: "the ID belongs to a transaction that did not create a chain",
    avalanchegoMessage: ({ chainID }) => `"${chainID}" is not a blockchain`,
  },
  "rules.same_chain": { sentence: "the P-Chain cannot import from or export to itself", avalanchegoMessage: "same chainID" },
  "rules.peer_chain_unknown": {
    sentence: "the other chain is not known",
    avalanchegoMessage: ({ chainID, reason }) => `failed to get subnet of "${chainID}": ${reason}`,
  },
  "rules.other_subnet": {
    sentence: "the other chain does not belong to the primary network",
    avalanchegoMessage: ({ expected, got }) => `mismatched subnetIDs; expected "${expected}" got "${got}"`,
  },

  "rules.unknown_utxo": {
    sentence: "there is no such UTXO",
    avalanchegoMessage: ({ utxo, reference }) => String(reference ?? `failed to read consumed UTXO ${utxo} due to: not found`),
  },
  "rules.credential_count": {
    sentence: "the number of credentials is not the number of inputs",
    avalanchegoMessage: ({ inputs, credentials }) =>
      `wrong number of credentials: ${inputs} inputs != ${credentials} credentials`,
  },
  "rules.utxo_count": {
    sentence: "the number of UTXOs is not the number of inputs",
    avalanchegoMessage: ({ inputs, utxos }) => `wrong number of UTXOs: ${inputs} inputs != ${utxos} utxos`,
  },
  "rules.asset_mismatch": {
    sentence: "the input names another asset than its UTXO holds",
    avalanchegoMessage: ({ input, utxo }) => `input asset ID does not match UTXO asset ID: ${input} != ${utxo}`,
  },
  "rules.amount_mismatch": {
    sentence: "the input names another amount than its UTXO holds",
    avalanchegoMessage: ({ utxo, input }) => `utxo amount and input amount are not equal: ${utxo} != ${input}`,
  },
  "rules.lock_not_marked": {
    sentence: "the UTXO is still stakeable-locked, but the input does not state the lock",
    avalanchegoMessage: "locked funds not marked as locked",
  },
  "rules.locktime_mismatch": {
    sentence: "the input names another lock time than its UTXO has",
    avalanchegoMessage: ({ input, utxo }) => `input locktime does not match UTXO locktime: ${input} != ${utxo}`,
  },
  "rules.insufficient_locked": {
    sentence: "the outputs lock more than the inputs under the same lock time, and unlocked inputs do not cover the difference",
    avalanchegoMessage: ({ owner, missing, asset, locktime }) =>
      `insufficient locked funds: ${owner} needs ${missing} more ${asset} for locktime ${locktime}`,
  },
  "rules.insufficient_unlocked": {
    sentence: "the inputs do not cover outputs and fee",
    avalanchegoMessage: ({ missing, asset }) => `insufficient unlocked funds: needs ${missing} more ${asset}`,
  },
  "rules.burn_overflow": "the amount to burn does not fit in 64 bits",
  "rules.not_waiting": {
    sentence: "there is no such UTXO to import from that chain",
    avalanchegoMessage: "failed to get shared memory: not found",
  },

  "rules.weight_too_small": {
    sentence: "the stake is below the minimum",
    avalanchegoMessage: "weight of this validator is too low",
  },
  "rules.weight_too_large": {
    sentence: "the stake is above the maximum",
    avalanchegoMessage: "weight of this validator is too large",
  },
  "rules.delegation_fee_too_small": {
    sentence: "the delegation fee is below the minimum",
    avalanchegoMessage: "staker charges an insufficient delegation fee",
  },
  "rules.stake_too_short": { sentence: "the staking period is too short", avalanchegoMessage: "staking period is too short" },
  "rules.stake_too_long": { sentence: "the staking period is too long", avalanchegoMessage: "staking period is too long" },
  "rules.wrong_stake_asset": {
    sentence: "the staked asset is not the staking asset of this network",
    avalanchegoMessage: ({ expected, got }) => `incorrect staked assetID: ${expected} != ${got}`,
  },
  "rules.starts_too_early": {
    sentence: "the staking period begins before the chain's time",
    avalanchegoMessage: (data) => `chain timestamp not before start time: ${time(data, "chainTime")} >= ${time(data, "start")}`,
  },
  "rules.period_mismatch": {
    sentence: "the staking period is not inside the validator's",
    avalanchegoMessage: "proposed staking period is not inside dependent staking period",
  },
  "rules.over_delegated": {
    sentence: "the validator would have too much stake with its delegations",
    avalanchegoMessage: "validator would be over delegated",
  },
  "rules.stake_overflow": {
    sentence: "five times the validator's weight does not fit in 64 bits",
    avalanchegoMessage: "validator stake exceeds limit",
  },
  "rules.already_validator": "the node is already a validator",
  "rules.not_validator": "the node is not a validator",
  "rules.unknown_transformation": { sentence: "the subnet is not open to stakers", avalanchegoMessage: "not found" },
  "rules.permissioned_validator": {
    sentence: "a permissioned validator cannot have delegators",
    avalanchegoMessage: "delegation to permissioned validator",
  },

  "rules.time_backwards": {
    sentence: "the block's time is before its parent's",
    avalanchegoMessage: (data) =>
      `proposed timestamp before current chain time: proposed timestamp (${time(data, "proposed")}), chain time (${time(data, "current")})`,
  },
  "rules.time_beyond_sync_bound": {
    sentence: "the block's time is more than 10 seconds ahead of the clock",
    avalanchegoMessage: (data) =>
      `proposed timestamp is too far in the future relative to local time, proposed time (${time(data, "proposed")}), local time (${time(data, "now")})`,
  },
  "rules.time_past_change": {
    sentence: "the block's time skips a change of stakers",
    avalanchegoMessage: (data) =>
      `proposed timestamp later than next staker change time, proposed timestamp (${time(data, "proposed")}), next staker change time (${time(data, "change")})`,
  },

  "rules.warp_network": { sentence: "the Warp message is for another network", avalanchegoMessage: "wrong networkID" },
  "rules.warp_unknown_signer": {
    sentence: "the Warp message names a signer that the validator set does not have",
    avalanchegoMessage: ({ indices, validators }) =>
      `unknown validator: NumIndices (${indices}) >= NumFilteredValidators (${validators})`,
  },
  "rules.warp_weight": {
    sentence: "the signers of the Warp message have too little weight",
    avalanchegoMessage: ({ signed, total, numerator, denominator }) =>
      `signature weight is insufficient: ${numerator}*${total} > ${denominator}*${signed}`,
  },
  "rules.warp_signature": { sentence: "the Warp message's signature is not valid", avalanchegoMessage: "signature is invalid" },
  "rules.warp_signature_malformed": {
    sentence: "the Warp message's signature is malformed",
    avalanchegoMessage: ({ reason }) => `failed to parse signature: ${reason}`,
  },
  "rules.warp_total_overflow": { sentence: "the validator set's weight does not fit in 64 bits", avalanchegoMessage: "overflow" },
  "rules.warp_height": {
    sentence: "the P-Chain height for the Warp message is above the height of the chain",
    avalanchegoMessage: ({ subnetID, height, pChainHeight }) =>
      `failed to fetch validator set at unfinalized height with SubnetID = ${subnetID}: current P-chain height (${height}) < requested P-Chain height (${pChainHeight})`,
  },
  "rules.warp_payload_type": {
    sentence: "the Warp message has another kind of payload than this transaction needs",
    avalanchegoMessage: ({ got }) => `wrong payload type: ${got}`,
  },
  "rules.warp_source_chain": {
    sentence: "the Warp message comes from another chain than the L1's manager",
    avalanchegoMessage: ({ expected, got }) => `wrong warp message source chain ID expected ${expected} but had ${got}`,
  },
  "rules.warp_source_address": {
    sentence: "the Warp message comes from another address than the L1's manager",
    avalanchegoMessage: ({ expected, got }) => `wrong warp message source address expected ${expected} but got ${got}`,
  },
  "rules.no_conversion": {
    sentence: "the subnet is not an L1",
    avalanchegoMessage: ({ subnetID }) => `could not load subnet conversion for ${subnetID} with: not found`,
  },
  "rules.l1_balance_spent": {
    sentence: "the L1 validator has no balance left and should have been deactivated",
    avalanchegoMessage: "state corruption: validator should have already been disabled",
  },
  "rules.too_many_active": {
    sentence: "the network has no room for another active L1 validator",
    avalanchegoMessage: "already at the max number of active validators",
  },
})

const time = (data: RefusalData, name: string): string => goTimeText(data[name] as bigint)
