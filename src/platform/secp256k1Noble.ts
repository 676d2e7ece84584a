import { type Secp256k1, secp256k1Over } from "../core/crypto/secp256k1.js"
import { load } from "./load.js"

type Noble = typeof import("@noble/curves/secp256k1.js")

/** Loads secp256k1 in plain JavaScript, which runs anywhere. Tests compare the other back end with it. */
export function loadSecp256k1Noble(): Secp256k1 {
  const { secp256k1 } = load<Noble>("@noble/curves/secp256k1.js")
  return secp256k1Over({
    name: "noble",
    publicKey: (secret) => secp256k1.getPublicKey(secret, true),
    sign(hash, secret) {
      // Noble puts the recovery ID first.
      const vrs = secp256k1.sign(hash, secret, { prehash: false, lowS: true, format: "recovered" })
      return { signature: vrs.subarray(1), recoveryID: vrs[0]! }
    },
    recover(hash, rs, recoveryID) {
      const vrs = new Uint8Array(65)
      vrs[0] = recoveryID
      vrs.set(rs, 1)
      try {
        return secp256k1.recoverPublicKey(vrs, hash, { prehash: false })
      } catch {
        return undefined
      }
    },
  })
}
