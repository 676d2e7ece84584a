import type { Context } from "../context.js"
import { methodWith } from "../method.js"
import type { Dialect } from "../schema/param.js"
import { keystoreRpcError } from "./errors.js"

/** Who keeps the users. Implemented by src/keystore; each call is whole or does nothing, and throws `keystore.*`. */
export interface KeystorePort {
  createUser(username: string, password: string, judge: Dialect): Promise<void>
  deleteUser(username: string, password: string, judge: Dialect): Promise<void>
  exportUser(username: string, password: string, judge: Dialect): Promise<Uint8Array>
  importUser(username: string, password: string, exported: Uint8Array, judge: Dialect): Promise<void>
  /** In the order of their UTF-8 bytes. */
  listUsers(): readonly string[]
}

/** What the keystore's methods are given; `keystore` is absent where nothing may be written. */
export interface KeystoreContext extends Context {
  readonly keystore: KeystorePort | undefined
}

export const method = methodWith<KeystoreContext>()

/** Throws `keystore.unavailable`. */
export function requireKeystore({ keystore }: KeystoreContext): KeystorePort {
  if (!keystore) throw keystoreRpcError("keystore.unavailable")
  return keystore
}

/** Hashing a password takes a processor a while and 64 MiB. */
export const HASHING_COST = 20
