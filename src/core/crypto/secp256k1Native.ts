import { load } from "./load.js"
import { type Secp256k1, type Secp256k1Library, secp256k1Over } from "./secp256k1.js"

/** Functions of the package `secp256k1` that are used here. The package has no types. */
interface Bindings {
  publicKeyCreate(secret: Uint8Array, compressed: boolean): Uint8Array
  ecdsaSign(hash: Uint8Array, secret: Uint8Array): { signature: Uint8Array; recid: number }
  ecdsaRecover(rs: Uint8Array, recoveryID: number, hash: Uint8Array, compressed: boolean): Uint8Array
}

/** Loads Bitcoin Core's libsecp256k1 from a prebuilt addon, if the package has one (Linux and Windows x64, macOS arm64). */
export function loadSecp256k1Native(): Secp256k1 {
  // The package's main file would fall back to slow JavaScript without an error; its bindings throw.
  return secp256k1Over(nativeLibrary(load<Bindings>("secp256k1/bindings.js")))
}

function nativeLibrary(bindings: Bindings): Secp256k1Library {
  return {
    name: "native",
    publicKey: (secret) => bindings.publicKeyCreate(secret, true),
    sign(hash, secret) {
      const { signature, recid } = bindings.ecdsaSign(hash, secret)
      return { signature, recoveryID: recid }
    },
    recover(hash, rs, recoveryID) {
      try {
        return bindings.ecdsaRecover(rs, recoveryID, hash, true)
      } catch {
        return undefined
      }
    },
  }
}
