import type { Bls } from "../crypto/bls.js"
import type { Certificate } from "../crypto/certificate.js"
import { concatBytes } from "../lib/bytes.js"
import { p2pError } from "./errors.js"
import { type IpPort, ipv6Bytes } from "./ipPort.js"

/** An address with the time at which its node signed it (Unix seconds). */
export interface UnsignedIp extends IpPort {
  readonly timestamp: bigint
}

/** An address as its node signs it. */
export interface SignedIp extends UnsignedIp {
  /** Made with the key of the certificate: ECDSA in DER or RSA PKCS #1 v1.5, over SHA-256. */
  readonly tlsSignature: Uint8Array
  /** Made with the BLS key under the tag of proofs of possession, 96 bytes. */
  readonly blsSignature: Uint8Array
}

/** Returns the bytes of an address that its node signs (26): IPv6 address, port, time. */
export function ipPreimage(address: UnsignedIp): Uint8Array {
  const tail = new DataView(new ArrayBuffer(10))
  tail.setUint16(0, address.port)
  tail.setBigUint64(2, address.timestamp)
  return concatBytes(ipv6Bytes(address), new Uint8Array(tail.buffer))
}

/** Signs with a node's TLS key: SHA-256, then ECDSA in DER or RSA PKCS #1 v1.5. */
export type TlsSigner = (message: Uint8Array) => Uint8Array

export interface IpSigners {
  readonly signTls: TlsSigner
  readonly blsSecret: Uint8Array
  readonly bls: Bls
}

/** Signs an address with both keys of a node. */
export function signIp(address: UnsignedIp, { signTls, blsSecret, bls }: IpSigners): SignedIp {
  const preimage = ipPreimage(address)
  return { ...address, tlsSignature: signTls(preimage), blsSignature: bls.signUnderPossessionTag(blsSecret, preimage) }
}

/**
 * Checks time and TLS signature of an address; `latestSeconds` is the latest time at which it may have been signed (Unix seconds).
 * Throws `p2p.address_from_future` and `p2p.bad_address_signature`.
 */
export function verifyIp(
  address: UnsignedIp & { readonly tlsSignature: Uint8Array },
  certificate: Certificate,
  latestSeconds: bigint,
): void {
  if (address.timestamp > latestSeconds) {
    throw p2pError("p2p.address_from_future", { timestamp: address.timestamp, latest: latestSeconds })
  }
  if (!certificate.verify(ipPreimage(address), address.tlsSignature)) {
    throw p2pError("p2p.bad_address_signature")
  }
}
