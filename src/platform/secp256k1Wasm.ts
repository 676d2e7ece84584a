import { type Secp256k1, type Secp256k1Library, secp256k1Over } from "../core/crypto/secp256k1.js"
import { load } from "./load.js"
import { nobleLibrary } from "./secp256k1Noble.js"

type Tiny = typeof import("tiny-secp256k1")

/** Loads secp256k1 as WebAssembly (tiny-secp256k1), which is the same on every machine and needs no build. */
export function loadSecp256k1Wasm(): Secp256k1 {
  return secp256k1Over(tinyLibrary(load<Tiny>("tiny-secp256k1")))
}

function tinyLibrary(tiny: Tiny): Secp256k1Library {
  return {
    name: "wasm",
    publicKey(secret) {
      const key = tiny.pointFromScalar(secret, true)
      if (key === null) throw new Error("tiny-secp256k1 made no key of a checked secret")
      return key
    },
    sign(hash, secret) {
      const { signature, recoveryId } = tiny.signRecoverable(hash, secret)
      return { signature, recoveryID: recoveryId }
    },
    recover(hash, rs, recoveryID) {
      // With 2 and 3 the point's x is r + n, but tiny-secp256k1 also requires r to be an x, and refuses signatures that AvalancheGo accepts
      // (such as r = 7). No such signature is known, so speed does not matter here.
      if (recoveryID > 1) return nobleLibrary().recover(hash, rs, recoveryID)
      try {
        return tiny.recover(hash, rs, recoveryID as 0 | 1, true) ?? undefined
      } catch {
        return undefined
      }
    },
  }
}
