import { instantiateSecp256k1 } from "@bitauth/libauth"
import { type Secp256k1, secp256k1Over } from "../core/crypto/secp256k1.js"

/**
 * Loads secp256k1 as WebAssembly (libauth), which is the same on every machine and needs no build. It takes some 30 ms. This file is
 * imported when it is needed, so that its part of libauth is a part of the bundle.
 */
export async function loadSecp256k1Wasm(): Promise<Secp256k1> {
  const libauth = await instantiateSecp256k1()
  return secp256k1Over({
    name: "wasm",
    publicKey: (secret) => madeBy(libauth.derivePublicKeyCompressed(secret)),
    sign(hash, secret) {
      const { signature, recoveryId } = madeBy(libauth.signMessageHashRecoverableCompact(secret, hash))
      return { signature, recoveryID: recoveryId }
    },
    recover(hash, rs, recoveryID) {
      const key = libauth.recoverPublicKeyCompressed(rs, recoveryID as 0 | 1 | 2 | 3, hash)
      return typeof key === "string" ? undefined : key
    },
  })
}

/** Returns what libauth made. It returns a sentence where others throw. */
function madeBy<Value>(result: Value | string): Value {
  if (typeof result === "string") throw new Error(`libauth refused a checked secret: ${result}`)
  return result
}
