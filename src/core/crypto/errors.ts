import { type RefusalData, refusals } from "../lib/invalid.js"

/** What is wrong with bytes that should be a point: no point at all, one outside the subgroup, or the neutral one. */
export type PointProblem = "encoding" | "group" | "infinity"

// 4 to 7 is how a compact signature says "compressed key"; a larger byte says nothing at all.
const recoveryByteText = ({ recoveryByte }: RefusalData): string =>
  Number(recoveryByte) < 8 ? "wasn't expecting a compressed key" : "invalid signature"

const publicKeyText = ({ problem }: RefusalData): string =>
  problem === "encoding" ? "couldn't decompress public key" : "invalid public key"

const signatureText = ({ problem }: RefusalData): string =>
  problem === "encoding" ? "couldn't decompress signature" : "invalid signature"

/** The refusals of this folder: keys, signatures and proofs that do not hold. */
export const cryptoError = refusals({
  "crypto.signature_length": { says: "a signature has 65 bytes", reference: "invalid signature length" },
  "crypto.signature_high_s": {
    says: "the signature's s is above half the group order",
    reference: "signature was mutated from its original format",
  },
  "crypto.signature_recovery_byte": { says: "the signature's recovery byte is not 0 to 3", reference: recoveryByteText },
  "crypto.signature_invalid": { says: "no public key gives this signature", reference: "invalid signature" },
  "crypto.secp256k1_bad_secret": "a secp256k1 secret has 32 bytes and lies between zero and the group order",
  "crypto.bls_bad_secret": {
    says: "a BLS secret has 32 bytes and lies between zero and the group order",
    reference: "couldn't deserialize secret key",
  },
  "crypto.bls_bad_public_key": { says: "the bytes are no BLS public key", reference: publicKeyText },
  "crypto.bls_bad_signature": { says: "the bytes are no BLS signature", reference: signatureText },
  "crypto.bls_bad_possession": {
    says: "the proof of possession is not this key's",
    reference: "invalid proof of possession",
  },
  "crypto.bls_no_public_keys": { says: "there is no public key to aggregate", reference: "no public keys" },
  "crypto.bls_no_signatures": { says: "there is no signature to aggregate", reference: "no signatures" },
})
