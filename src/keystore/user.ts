import { decode, encode, versioned } from "../core/codec/decode.js"
import { unmarshalText } from "../core/codec/errors.js"
import { list } from "../core/codec/list.js"
import { bytes, fixedBytes } from "../core/codec/primitives.js"
import type { TypeOf } from "../core/codec/schema.js"
import { struct } from "../core/codec/struct.js"
import { compareBytes, toHex } from "../core/lib/bytes.js"
import { Invalid } from "../core/lib/invalid.js"
import { keystoreError } from "./errors.js"
import { HASH_SIZE, SALT_SIZE } from "./passwordHash.js"

/** Data that a chain's VM stored for a user, encrypted with the password. Neither part is read. */
export const pair = struct({ key: bytes, value: bytes })

/** A user as AvalancheGo v1.12.1 exports one, without the name. */
const exported = versioned(struct({ hash: fixedBytes(HASH_SIZE), salt: fixedBytes(SALT_SIZE), pairs: list(pair) }))
export type User = TypeOf<typeof exported>

export function writeExport(user: User): Uint8Array {
  return encode(exported, user)
}

/** Reads an exported user, with its pairs in the order of their keys. Throws `keystore.bad_export`. */
export function readExport(given: Uint8Array): User {
  const user = parse(given)
  // The last value of a repeated key counts.
  const byKey = new Map(user.pairs.map((each) => [toHex(each.key), each]))
  return { ...user, pairs: [...byKey.values()].sort((a, b) => compareBytes(a.key, b.key)) }
}

function parse(given: Uint8Array): User {
  try {
    return decode(exported, given)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const { path, offset } = error.data
    throw keystoreError("keystore.bad_export", { reason: error.sentence, path, offset, reference: unmarshalText(error) })
  }
}
