import { methodWith } from "../../jsonrpc/method.js"
import type { Dialect } from "../../jsonrpc/schema/param.js"
import type { Keystore } from "../keystore.js"
import { keystoreRpcError } from "./errors.js"

/** What the keystore's methods are given; `keystore` is absent where nothing may be written. */
export interface KeystoreContext {
  readonly dialect: Dialect
  readonly keystore: Keystore | undefined
}

export const keystoreMethod = methodWith<KeystoreContext>()

/** Throws `keystore.unavailable`. */
export function requireKeystore({ keystore }: KeystoreContext): Keystore {
  if (!keystore) throw keystoreRpcError("keystore.unavailable")
  return keystore
}

/** Hashing a password takes a processor a while and 64 MiB. */
export const HASHING_COST = 20
