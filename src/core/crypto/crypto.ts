import type { Bls } from "./bls.js"
import type { ParseCertificate } from "./certificate.js"
import type { sha256Hex } from "./hash.js"
import type { Secp256k1 } from "./secp256k1.js"

/**
 * What the platform provides: the curves, each loaded when it is first used, the keys of certificates, and its own hash. All platforms give the
 * same results.
 */
export interface Crypto {
  readonly secp256k1: Secp256k1
  readonly bls: Bls
  readonly parseCertificate: ParseCertificate
  /** The same as `sha256Hex`, in a quarter of the time. A large genesis needs 100,000 hashes, and one of all its bytes. */
  readonly sha256Hex: typeof sha256Hex
}
