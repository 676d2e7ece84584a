import { type RefusalData, refusals } from "../lib/invalid.js"

/** Reason why bytes are not a valid point: they encode no point, a point outside the subgroup, or the neutral point. */
export type PointProblem = "encoding" | "group" | "infinity"

// The values 4 to 7 mark a compressed key in a compact signature. Larger values have no meaning.
const recoveryByteText = ({ recoveryByte }: RefusalData): string =>
  Number(recoveryByte) < 8 ? "wasn't expecting a compressed key" : "invalid signature"

const publicKeyText = ({ problem }: RefusalData): string =>
  problem === "encoding" ? "couldn't decompress public key" : "invalid public key"

const signatureText = ({ problem }: RefusalData): string =>
  problem === "encoding" ? "couldn't decompress signature" : "invalid signature"

export const cryptoError = refusals({
  "crypto.signature_length": { sentence: "the signature does not have 65 bytes", avalanchegoMessage: "invalid signature length" },
  "crypto.signature_high_s": {
    sentence: "the signature's s is above half the group order",
    avalanchegoMessage: "signature was mutated from its original format",
  },
  "crypto.signature_recovery_byte": {
    sentence: "the signature's recovery byte is not 0 to 3",
    avalanchegoMessage: recoveryByteText,
  },
  "crypto.signature_invalid": {
    sentence: "no public key can be recovered from the signature",
    avalanchegoMessage: "invalid signature",
  },
  "crypto.secp256k1_bad_secret": "a secp256k1 secret must have 32 bytes and be between zero and the group order",
  "crypto.bls_bad_secret": {
    sentence: "a BLS secret must have 32 bytes and be between zero and the group order",
    avalanchegoMessage: "couldn't deserialize secret key",
  },
  "crypto.bls_bad_public_key": { sentence: "the bytes are not a BLS public key", avalanchegoMessage: publicKeyText },
  "crypto.bls_bad_signature": { sentence: "the bytes are not a BLS signature", avalanchegoMessage: signatureText },
  "crypto.bls_bad_possession": {
    sentence: "the proof of possession does not belong to this key",
    avalanchegoMessage: "invalid proof of possession",
  },
  "crypto.bls_no_public_keys": { sentence: "there is no public key to aggregate", avalanchegoMessage: "no public keys" },
  "crypto.bls_no_signatures": { sentence: "there is no signature to aggregate", avalanchegoMessage: "no signatures" },
})
