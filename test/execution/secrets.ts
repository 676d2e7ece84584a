import { equalBytes } from "../../src/core/lib/bytes.js"
import { bls } from "../../src/platform/backends.js"
import { blsKeyOf } from "../fixtures/keys.js"

/** The secret of an uncompressed key, which is one of the first `keys` BLS keys of the fixtures. */
export function secretOf(publicKey: Uint8Array, keys: number): Uint8Array {
  for (let number = 1; number <= keys; number++) {
    const key = blsKeyOf(number)
    if (equalBytes(bls().decompressKey(key.publicKey), publicKey)) return key.secret
  }
  throw new Error("a validator has a key that nobody made")
}
