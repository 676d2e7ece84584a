import { sha256 } from "../../../src/core/crypto/hash.js"
import { toHex, utf8 } from "../../../src/core/lib/bytes.js"
import { bls, secp256k1 } from "../../../src/platform/backends.js"
import type { Group } from "../group.js"
import { bytesOf } from "../values.js"

/** signatures.json: secp256k1 and BLS signatures, which are deterministic. */
export const signatures: Group = {
  "secp256k1 sign"(entry, verdict) {
    const secret = bytesOf(entry.private_key_hex)
    const hash = sha256(utf8(entry.message_utf8))
    const signature = secp256k1().sign(hash, secret)
    if (entry.signature !== undefined) verdict.equal("signature", signature, entry.signature)
    if (entry.r_s !== undefined) verdict.equal("r_s", signature.subarray(0, 64), entry.r_s)
    verdict.equal("recovered key", secp256k1().recover(hash, signature), secp256k1().publicKey(secret))
  },
  "bls proof of possession"(entry, verdict) {
    const secret = bytesOf(entry.secret_key)
    verdict.equal("public_key", bls().publicKey(secret), entry.public_key)
    verdict.equal("proof_of_possession", bls().signPossession(secret), entry.proof_of_possession)
    bls().verifyPossession(bytesOf(entry.public_key), bytesOf(entry.proof_of_possession))
  },
  "bls sign"(entry, verdict) {
    const secret = bytesOf(entry.secret_key)
    const message = utf8(entry.message_utf8)
    verdict.equal("signature", bls().sign(secret, message), entry.signature)
    verdict.equal("verified", bls().verify(bls().publicKey(secret), message, bytesOf(entry.signature)), true)
  },
  "bls proof of possession verify"(entry, verdict) {
    const verify = () => bls().verifyPossession(bytesOf(entry.public_key), bytesOf(entry.proof_of_possession))
    if (entry.valid) verify()
    else verdict.refuses(`proof ${toHex(bytesOf(entry.proof_of_possession))}`, verify)
  },
}
