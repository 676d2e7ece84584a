import { type Certificate, nodeIDOfCertificate, type ParseCertificate } from "../crypto/certificate.js"
import { sha256 } from "../crypto/hash.js"
import { hexToBytes } from "../lib/bytes.js"
import { EMPTY_ID, ID_SIZE, type NodeID } from "../types/id.js"
import { claimedIpPort } from "./ipPort.js"
import type { OutgoingMessage } from "./message.js"
import type { ClaimedIpPort } from "./proto/p2p_pb.js"
import { type UnsignedIp, verifyIp } from "./signedIp.js"

/** A node's signed address as peers pass it on. */
export interface Claim extends UnsignedIp {
  readonly nodeID: NodeID
  /** DER. */
  readonly certificate: Uint8Array
  readonly tlsSignature: Uint8Array
}

/** A claim from a peer list whose signature is not verified yet. */
export interface UncheckedClaim extends Claim {
  readonly parsedCertificate: Certificate
}

/** Reads an entry of a peer list. Its bytes are copied, because they could keep a large message in memory. Throws `crypto.certificate_*` and `p2p.bad_address`. */
export function readClaim(claim: ClaimedIpPort, parseCertificate: ParseCertificate): UncheckedClaim {
  const { x509Certificate, ipAddr, ipPort, timestamp, signature } = claim
  const certificate = x509Certificate.slice()
  const parsedCertificate = parseCertificate(certificate)
  const nodeID = nodeIDOfCertificate(certificate) as NodeID
  const address = claimedIpPort(ipAddr, ipPort)
  return { nodeID, certificate, parsedCertificate, ...address, timestamp, tlsSignature: signature.slice() }
}

/** Checks time and signature of a claim, as `verifyIp` does. Throws `p2p.address_from_future` and `p2p.bad_address_signature`. */
export function verifyClaim(claim: UncheckedClaim, latestSeconds: bigint): Claim {
  const { parsedCertificate, ...checked } = claim
  verifyIp(checked, parsedCertificate, latestSeconds)
  return checked
}

export function peerListOf(claims: readonly Claim[]): OutgoingMessage {
  const claimedIpPorts = claims.map((claim) => ({
    x509Certificate: claim.certificate,
    ipAddr: claim.ip,
    ipPort: claim.port,
    timestamp: claim.timestamp,
    signature: claim.tlsSignature,
    txId: hexToBytes(EMPTY_ID),
  }))
  return { case: "peerList", value: { claimedIpPorts } }
}

/** The key of a claim in a bloom filter: SHA-256 of node ID and time in a buffer of 40 bytes, of which the last 12 are zero. */
export function gossipID({ nodeID, timestamp }: Pick<Claim, "nodeID" | "timestamp">): Uint8Array {
  const bytes = new Uint8Array(ID_SIZE + 8)
  const id = hexToBytes(nodeID)
  bytes.set(id)
  new DataView(bytes.buffer).setBigUint64(id.length, timestamp)
  return sha256(bytes)
}
