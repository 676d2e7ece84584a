import type { TestKey } from "../../core/genesis/testKeys.js"
import { type Address, addressOfKey } from "../../core/types/address.js"
import { parsePrivateKey } from "../../core/types/privateKey.js"
import { secp256k1 } from "../../platform/backends.js"

/** A private key with which the producer signs, and its address. */
export interface SigningKey {
  readonly secret: Uint8Array
  readonly address: Address
  /** The compressed public key, 33 bytes; omitted if it was not needed yet. */
  readonly publicKey?: Uint8Array
}

export function keyOfTest({ privateKey, address }: TestKey): SigningKey {
  return { secret: parsePrivateKey(privateKey), address }
}

export function keyOfSecret(secret: Uint8Array): SigningKey {
  const publicKey = secp256k1().publicKey(secret)
  return { secret, address: addressOfKey(publicKey), publicKey }
}
