import { refusals } from "../lib/invalid.js"

/** Reasons why the P-Chain signs no Warp message. */
export const signError = refusals({
  "rules.sign_foreign_chain": { sentence: "the P-Chain signs only its own messages", avalanchegoMessage: "wrong SourceChainID" },
  "rules.sign_bad_call": {
    sentence: "the payload to sign is not an addressed call",
    avalanchegoMessage: ({ reason }) => `failed to parse warp addressed call: ${reason}`,
  },
  "rules.sign_source_address": {
    sentence: "the source address is not empty, but the P-Chain has no address",
    avalanchegoMessage: "source address should be empty",
  },
  "rules.sign_bad_payload": {
    sentence: "the call to sign carries no message of the P-Chain",
    avalanchegoMessage: ({ reason }) => `failed to parse warp addressed call payload: ${reason}`,
  },
  "rules.sign_payload_type": {
    sentence: "the P-Chain does not sign messages of this kind",
    avalanchegoMessage: ({ kind }) => `unsupported warp addressed call payload type: *message.${kind}`,
  },
  "rules.sign_bad_justification": {
    sentence: "the justification is malformed",
    avalanchegoMessage: ({ reason }) => `failed to parse justification: ${reason}`,
  },
  "rules.sign_no_conversion": {
    sentence: "the subnet was never converted",
    avalanchegoMessage: ({ subnetID }) => `subnet "${subnetID}" has not been converted`,
  },
  "rules.sign_conversion_mismatch": {
    sentence: "the subnet was converted with other values",
    avalanchegoMessage: ({ got, expected }) => `provided conversionID "${got}" != expected conversionID "${expected}"`,
  },
  "rules.sign_justification_type": {
    sentence: "the justification names neither a conversion nor a registration",
    avalanchegoMessage: "invalid justification type: <nil>",
  },
  "rules.sign_bad_subnet": {
    sentence: "the justification's subnet ID is malformed",
    avalanchegoMessage: ({ reason }) => `failed to parse subnetID: ${reason}`,
  },
  "rules.sign_validation_mismatch": {
    sentence: "the justification is for another validator",
    avalanchegoMessage: ({ validationID, justified }) => `validationID "${validationID}" != justificationID "${justified}"`,
  },
  "rules.sign_no_validation": {
    sentence: "no L1 validator has this validation ID",
    avalanchegoMessage: ({ validationID }) => `validation "${validationID}" does not exist`,
  },
  "rules.sign_validation_exists": {
    sentence: "the L1 validator is registered",
    avalanchegoMessage: ({ validationID }) => `validation "${validationID}" exists`,
  },
  "rules.sign_bad_registration": {
    sentence: "the justification is not a registration",
    avalanchegoMessage: ({ reason }) => `failed to parse RegisterL1Validator justification: ${reason}`,
  },
  "rules.sign_could_register": {
    sentence: "the validator could still be registered",
    avalanchegoMessage: ({ validationID, expiry }) => `validation "${validationID}" can be registered until ${expiry}`,
  },
  "rules.sign_impossible_nonce": {
    sentence: "the nonce is reserved for removals and cannot belong to a weight",
    avalanchegoMessage: "impossible nonce",
  },
  "rules.sign_wrong_nonce": {
    sentence: "the nonce is not the validator's last",
    avalanchegoMessage: ({ nonce, minNonce }) => `provided nonce ${nonce} != expected nonce (${minNonce} - 1)`,
  },
  "rules.sign_wrong_weight": {
    sentence: "the validator has another weight",
    avalanchegoMessage: ({ got, expected }) => `provided weight ${got} != expected weight ${expected}`,
  },
})
