import { goTimeText } from "../lib/goTime.js"
import { type RefusalData, refusals } from "../lib/invalid.js"

/** What breaks a rule that several transactions or blocks share. */
export const rulesError = refusals({
  "rules.insufficient_capacity": {
    says: "the block takes more gas than the chain has to give now",
    reference: ({ capacity, gas }) => `insufficient capacity: capacity (${capacity}) < gas (${gas})`,
  },

  "rules.time_locked": { says: "the owner's lock time has not come", reference: "output is time locked" },
  "rules.too_few_signers": { says: "fewer signers than the threshold", reference: "input has less signers than expected" },
  "rules.too_many_signers": { says: "more signers than the threshold", reference: "input has more signers than expected" },
  "rules.signature_count": {
    says: "the credential has another number of signatures than there are signers",
    reference: "input expected a different number of signers than provided in the credential",
  },
  "rules.no_such_address": {
    says: "a signature index points beyond the owner's addresses",
    reference: "input referenced a nonexistent address in the output",
  },
  "rules.wrong_signature": {
    says: "a signature is by another key",
    reference: ({ expected, got }) => `wrong signature: expected signature from ${expected} but got from ${got}`,
  },
  "rules.wrong_credential_type": { says: "what stands for a credential is none", reference: "wrong credential type" },
  "rules.wrong_auth_type": { says: "what stands for an authorisation is none", reference: "wrong input type" },
  "rules.unpriced_auth": { says: "what stands for an authorisation is none", reference: "unsupported auth type" },
  "rules.no_credential": {
    says: "the authorisation has no credential",
    reference: "should have the same number of credentials as inputs",
  },
  "rules.unauthorized": {
    says: "the last credential does not act for the owner",
    reference: ({ reason }) => `unauthorized modification: ${reason}`,
  },

  "rules.unknown_subnet": { says: "there is no such subnet", reference: "not found" },
  "rules.not_a_subnet": {
    says: "the ID is another transaction's, not a subnet's",
    reference: ({ subnetID }) => `"${subnetID}" is not a subnet`,
  },
  "rules.subnet_immutable": {
    says: "the subnet was transformed or converted",
    reference: ({ subnetID }) => `"${subnetID}" is immutable`,
  },
  "rules.unknown_chain": {
    says: "there is no such chain",
    reference: ({ chainID }) => `problem retrieving blockchain "${chainID}": not found`,
  },
  "rules.not_a_chain": {
    says: "the ID is another transaction's, not a chain's",
    reference: ({ chainID }) => `"${chainID}" is not a blockchain`,
  },
  "rules.same_chain": { says: "the P-Chain cannot trade with itself", reference: "same chainID" },
  "rules.peer_chain_unknown": {
    says: "the other chain is not known",
    reference: ({ chainID, reason }) => `failed to get subnet of "${chainID}": ${reason}`,
  },
  "rules.other_subnet": {
    says: "the other chain is not one of the primary network",
    reference: ({ expected, got }) => `mismatched subnetIDs; expected "${expected}" got "${got}"`,
  },

  "rules.unknown_utxo": {
    says: "there is no such UTXO",
    reference: ({ utxo, reference }) => String(reference ?? `failed to read consumed UTXO ${utxo} due to: not found`),
  },
  "rules.credential_count": {
    says: "there is not one credential for each input",
    reference: ({ inputs, credentials }) => `wrong number of credentials: ${inputs} inputs != ${credentials} credentials`,
  },
  "rules.utxo_count": {
    says: "there is not one UTXO for each input",
    reference: ({ inputs, utxos }) => `wrong number of UTXOs: ${inputs} inputs != ${utxos} utxos`,
  },
  "rules.asset_mismatch": {
    says: "the input names another asset than its UTXO holds",
    reference: ({ input, utxo }) => `input asset ID does not match UTXO asset ID: ${input} != ${utxo}`,
  },
  "rules.amount_mismatch": {
    says: "the input names another amount than its UTXO holds",
    reference: ({ utxo, input }) => `utxo amount and input amount are not equal: ${utxo} != ${input}`,
  },
  "rules.lock_not_marked": {
    says: "a stakeable lock still runs, and the input does not name it",
    reference: "locked funds not marked as locked",
  },
  "rules.locktime_mismatch": {
    says: "the input names another lock time than its UTXO has",
    reference: ({ input, utxo }) => `input locktime does not match UTXO locktime: ${input} != ${utxo}`,
  },
  "rules.insufficient_locked": {
    says: "more is locked than was taken under the same lock, and nothing unlocked covers it",
    reference: ({ owner, missing, asset, locktime }) =>
      `insufficient locked funds: ${owner} needs ${missing} more ${asset} for locktime ${locktime}`,
  },
  "rules.insufficient_unlocked": {
    says: "the inputs do not cover outputs and fee",
    reference: ({ missing, asset }) => `insufficient unlocked funds: needs ${missing} more ${asset}`,
  },
  "rules.burn_overflow": { says: "what must be burned does not fit in 64 bits", reference: ({ reference }) => String(reference) },
  "rules.not_waiting": {
    says: "no such UTXO waits to be imported from that chain",
    reference: "failed to get shared memory: not found",
  },

  "rules.weight_too_small": { says: "the stake is below the minimum", reference: "weight of this validator is too low" },
  "rules.weight_too_large": { says: "the stake is above the maximum", reference: "weight of this validator is too large" },
  "rules.delegation_fee_too_small": {
    says: "the delegation fee is below the minimum",
    reference: "staker charges an insufficient delegation fee",
  },
  "rules.stake_too_short": { says: "the staking period is too short", reference: "staking period is too short" },
  "rules.stake_too_long": { says: "the staking period is too long", reference: "staking period is too long" },
  "rules.wrong_stake_asset": {
    says: "the stake is of another asset than this network asks for",
    reference: ({ expected, got }) => `incorrect staked assetID: ${expected} != ${got}`,
  },
  "rules.starts_too_early": {
    says: "the staking period begins before the chain's time",
    reference: (data) => `chain timestamp not before start time: ${time(data, "chainTime")} >= ${time(data, "start")}`,
  },
  "rules.period_mismatch": {
    says: "the staking period is not inside the validator's",
    reference: "proposed staking period is not inside dependent staking period",
  },
  "rules.over_delegated": { says: "the validator would carry too much stake", reference: "validator would be over delegated" },
  "rules.stake_overflow": {
    says: "five times the validator's weight does not fit in 64 bits",
    reference: "validator stake exceeds limit",
  },
  "rules.already_validator": { says: "the node validates already", reference: ({ reference }) => String(reference) },
  "rules.not_validator": { says: "the node does not validate", reference: ({ reference }) => String(reference) },
  "rules.unknown_transformation": { says: "the subnet is not open to stakers", reference: "not found" },
  "rules.permissioned_validator": {
    says: "a permissioned validator takes no delegations",
    reference: "delegation to permissioned validator",
  },

  "rules.time_backwards": {
    says: "the block's time is before its parent's",
    reference: (data) =>
      `proposed timestamp before current chain time: proposed timestamp (${time(data, "proposed")}), chain time (${time(data, "current")})`,
  },
  "rules.time_beyond_sync_bound": {
    says: "the block's time is more than 10 seconds ahead of the clock",
    reference: (data) =>
      `proposed timestamp is too far in the future relative to local time, proposed time (${time(data, "proposed")}), local time (${time(data, "now")})`,
  },
  "rules.time_past_change": {
    says: "the block's time skips a change of stakers",
    reference: (data) =>
      `proposed timestamp later than next staker change time, proposed timestamp (${time(data, "proposed")}), next staker change time (${time(data, "change")})`,
  },

  "rules.warp_network": { says: "the Warp message is for another network", reference: "wrong networkID" },
  "rules.warp_unknown_signer": {
    says: "the Warp message names a signer that the validator set does not have",
    reference: ({ indices, validators }) => `unknown validator: NumIndices (${indices}) >= NumFilteredValidators (${validators})`,
  },
  "rules.warp_weight": {
    says: "the Warp message is signed by too little weight",
    reference: ({ signed, total, numerator, denominator }) =>
      `signature weight is insufficient: ${numerator}*${total} > ${denominator}*${signed}`,
  },
  "rules.warp_signature": { says: "the Warp message's signature does not fit", reference: "signature is invalid" },
  "rules.warp_signature_malformed": {
    says: "the Warp message's signature is no signature",
    reference: ({ reason }) => `failed to parse signature: ${reason}`,
  },
  "rules.warp_total_overflow": { says: "the validator set's weight does not fit in 64 bits", reference: "overflow" },
  "rules.warp_height": {
    says: "the Warp message is to be checked at a height that the chain does not have",
    reference: ({ subnetID, height, pChainHeight }) =>
      `failed to fetch validator set at unfinalized height with SubnetID = ${subnetID}: current P-chain height (${height}) < requested P-Chain height (${pChainHeight})`,
  },
  "rules.warp_payload_type": {
    says: "the Warp message carries something else than this transaction needs",
    reference: ({ got }) => `wrong payload type: ${got}`,
  },
  "rules.warp_source_chain": {
    says: "the Warp message comes from another chain than the L1's manager",
    reference: ({ expected, got }) => `wrong warp message source chain ID expected ${expected} but had ${got}`,
  },
  "rules.warp_source_address": {
    says: "the Warp message comes from another address than the L1's manager",
    reference: ({ expected, got }) => `wrong warp message source address expected ${expected} but got ${got}`,
  },
  "rules.no_conversion": {
    says: "the subnet is no L1",
    reference: ({ subnetID }) => `could not load subnet conversion for ${subnetID} with: not found`,
  },
  "rules.l1_balance_spent": {
    says: "the L1 validator has nothing left and should have been stopped",
    reference: "state corruption: validator should have already been disabled",
  },
  "rules.too_many_active": {
    says: "the network has no room for another active L1 validator",
    reference: "already at the max number of active validators",
  },

  "rules.sign_foreign_chain": { says: "the P-Chain signs only its own messages", reference: "wrong SourceChainID" },
  "rules.sign_bad_call": {
    says: "the payload to sign is no addressed call",
    reference: ({ reason }) => `failed to parse warp addressed call: ${reason}`,
  },
  "rules.sign_source_address": { says: "the P-Chain has no address to sign for", reference: "source address should be empty" },
  "rules.sign_bad_payload": {
    says: "the call to sign carries no message of the P-Chain",
    reference: ({ reason }) => `failed to parse warp addressed call payload: ${reason}`,
  },
  "rules.sign_payload_type": {
    says: "the P-Chain does not sign messages of this kind",
    reference: ({ kind }) => `unsupported warp addressed call payload type: *message.${kind}`,
  },
  "rules.sign_bad_justification": {
    says: "the justification is malformed",
    reference: ({ reason }) => `failed to parse justification: ${reason}`,
  },
  "rules.sign_no_conversion": {
    says: "the subnet was never converted",
    reference: ({ subnetID }) => `subnet "${subnetID}" has not been converted`,
  },
  "rules.sign_conversion_mismatch": {
    says: "the subnet was converted otherwise",
    reference: ({ got, expected }) => `provided conversionID "${got}" != expected conversionID "${expected}"`,
  },
  "rules.sign_justification_type": {
    says: "the justification names neither a conversion nor a registration",
    reference: "invalid justification type: <nil>",
  },
  "rules.sign_bad_subnet": {
    says: "the justification's subnet ID is malformed",
    reference: ({ reason }) => `failed to parse subnetID: ${reason}`,
  },
  "rules.sign_validation_mismatch": {
    says: "the justification is for another validator",
    reference: ({ validationID, justified }) => `validationID "${validationID}" != justificationID "${justified}"`,
  },
  "rules.sign_no_validation": {
    says: "no L1 validator has this validation ID",
    reference: ({ validationID }) => `validation "${validationID}" does not exist`,
  },
  "rules.sign_validation_exists": {
    says: "the L1 validator is registered",
    reference: ({ validationID }) => `validation "${validationID}" exists`,
  },
  "rules.sign_bad_registration": {
    says: "the justification is no registration",
    reference: ({ reason }) => `failed to parse RegisterL1Validator justification: ${reason}`,
  },
  "rules.sign_could_register": {
    says: "the validator could still be registered",
    reference: ({ validationID, expiry }) => `validation "${validationID}" can be registered until ${expiry}`,
  },
  "rules.sign_impossible_nonce": { says: "no weight has the nonce of a removal", reference: "impossible nonce" },
  "rules.sign_wrong_nonce": {
    says: "the nonce is not the validator's last",
    reference: ({ nonce, minNonce }) => `provided nonce ${nonce} != expected nonce (${minNonce} - 1)`,
  },
  "rules.sign_wrong_weight": {
    says: "the validator has another weight",
    reference: ({ got, expected }) => `provided weight ${got} != expected weight ${expected}`,
  },
})

const time = (data: RefusalData, name: string): string => goTimeText(data[name] as bigint)
