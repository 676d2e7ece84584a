import { list } from "../core/codec/list.js"
import { bytes, fixedBytes } from "../core/codec/primitives.js"
import type { TypeOf } from "../core/codec/schema.js"
import { struct } from "../core/codec/struct.js"
import { hexKey } from "../core/state/key.js"
import { type AnyTable, table } from "../core/state/table.js"
import { HASH_SIZE, SALT_SIZE } from "./passwordHash.js"
import { pair } from "./user.js"

/** A user's name in UTF-8, the hash of the password with its salt, and the pairs in the order of their keys. */
const userRow = struct({ name: bytes, hash: fixedBytes(HASH_SIZE), salt: fixedBytes(SALT_SIZE), pairs: list(pair) })
export type UserRow = TypeOf<typeof userRow>

/** SHA-256 of a name → its user, because names may be longer than a key of the store. */
export const users = table("keystoreUsers", hexKey<string>(32), userRow)

/** Tables with which the store must be opened, as `tablesBesideChain`. */
export const keystoreTables: readonly AnyTable[] = [users]
