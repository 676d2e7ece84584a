import type { Bls } from "./bls.js"
import type { ParseCertificate } from "./certificate.js"
import type { Secp256k1 } from "./secp256k1.js"

/** What the platform provides: the curves, each loaded when it is first used, and the keys of certificates. All platforms give the same results. */
export interface Crypto {
  readonly secp256k1: Secp256k1
  readonly bls: Bls
  readonly parseCertificate: ParseCertificate
}
