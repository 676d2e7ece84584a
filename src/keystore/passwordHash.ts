import { timingSafeEqual } from "node:crypto"
import { utf8 } from "../core/lib/bytes.js"
import { load } from "../platform/load.js"

export const HASH_SIZE = 32
export const SALT_SIZE = 16

/** Hashes a password with a salt. It is slow on purpose. */
export type PasswordHasher = (password: string, salt: Uint8Array) => Promise<Uint8Array>

/** Argon2id (RFC 9106) with AvalancheGo's parameters: one pass over 64 MiB in four lanes. It runs outside the event loop. */
export const argon2id: PasswordHasher = async (password, salt) => {
  const { hashRaw } = load<typeof import("@node-rs/argon2")>("@node-rs/argon2")
  const options = { algorithm: 2, version: 1, timeCost: 1, memoryCost: 65_536, parallelism: 4, outputLen: HASH_SIZE, salt }
  return new Uint8Array(await hashRaw(utf8(password), options))
}

/** Compares two hashes in a time that does not reveal where they differ. */
export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return timingSafeEqual(a, b)
}
