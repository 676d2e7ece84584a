import { POSSESSION_TAG } from "../core/crypto/bls.js"
import type { Possession } from "../core/crypto/blsLibrary.js"
import { load } from "./load.js"

/** The exports of bls-eth-wasm. Its types lack the tag. */
type BlsEth = typeof import("bls-eth-wasm") & { setDstG2(tag: string): void }

/** Loads proofs of possession in WebAssembly (bls-eth-wasm), some seven times as fast as plain JavaScript. It takes some 50 ms. */
export async function loadPossessionWasm(): Promise<Possession> {
  const library = load<BlsEth>("bls-eth-wasm")
  await library.init(library.BLS12_381)
  // The tag belongs to the whole library. Only this file uses it, so the tag is set once.
  library.setDstG2(POSSESSION_TAG)
  // The bytes were checked for the subgroup before.
  library.verifyPublicKeyOrder(false)
  library.verifySignatureOrder(false)
  return {
    sign(secret, message) {
      const key = new library.SecretKey()
      key.deserialize(secret)
      return key.sign(message).serialize()
    },
    verify(publicKey, message, signature) {
      const key = new library.PublicKey()
      key.deserialize(publicKey)
      const proof = new library.Signature()
      proof.deserialize(signature)
      return key.verify(proof, message)
    },
  }
}
