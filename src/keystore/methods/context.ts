import { methodWith } from "../../jsonrpc/method.js"
import type { Dialect } from "../../jsonrpc/schema/param.js"
import type { Keystore } from "../keystore.js"
import { keystoreRpcError } from "./errors.js"

/** Context of the keystore's methods. `keystore` is absent if the node cannot write. */
export interface KeystoreContext {
  readonly dialect: Dialect
  readonly keystore: Keystore | undefined
}

export const keystoreMethod = methodWith<KeystoreContext>()

/** Returns the keystore. Throws `keystore.unavailable`. */
export function requireKeystore({ keystore }: KeystoreContext): Keystore {
  if (!keystore) throw keystoreRpcError("keystore.unavailable")
  return keystore
}

/** The cost of hashing a password in units. It takes a processor a while, and 64 MiB. */
export const HASHING_COST = 20
