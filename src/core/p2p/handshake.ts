import type { Bls } from "../crypto/bls.js"
import type { Certificate } from "../crypto/certificate.js"
import type { Crypto } from "../crypto/crypto.js"
import { hexToBytes, toHex } from "../lib/bytes.js"
import { valueOrThrow } from "../lib/invalid.js"
import { currentACPs } from "../networks/acps.js"
import type { Upgrades } from "../networks/upgrades.js"
import { type ID, ID_SIZE } from "../types/id.js"
import { BloomFilter } from "./bloomFilter.js"
import { type ClientVersion, checkVersion } from "./clientVersion.js"
import { p2pError } from "./errors.js"
import { claimedIpPort } from "./ipPort.js"
import type { OutgoingMessage } from "./message.js"
import type { BloomFilter as FilterMessage, Handshake } from "./proto/p2p_pb.js"
import { ipPreimage, type SignedIp, verifyIp } from "./signedIp.js"

const MAX_TRACKED_SUBNETS = 16
const MAX_SALT_SIZE = 32
/** The maximum length of the name of a peer's program that is kept, characters. */
const MAX_NAME_LENGTH = 256

export interface AcpVotes {
  readonly supported: readonly number[]
  readonly objected: readonly number[]
}

/** Handshake fields that this node sends to every peer. */
export interface Introduction {
  readonly networkID: number
  readonly version: ClientVersion
  /** Unix seconds of the newest upgrade that this release knows. */
  readonly upgradeTime: bigint
  readonly acps: AcpVotes
  readonly trackedSubnets: readonly ID[]
}

/** The peer's own description in a handshake that was accepted. */
export interface PeerDescription extends Introduction {
  readonly ip: SignedIp
  readonly asksForAllSubnets: boolean
}

/** The first message to every peer. `allSubnets` is true for a validator of the primary network: it wants the addresses of all validators. */
export function handshakeOf(
  self: Introduction,
  ip: SignedIp,
  known: BloomFilter,
  nowSeconds: bigint,
  allSubnets = false,
): OutgoingMessage {
  return {
    case: "handshake",
    value: {
      networkId: self.networkID,
      myTime: nowSeconds,
      ipAddr: ip.ip,
      ipPort: ip.port,
      upgradeTime: self.upgradeTime,
      ipSigningTime: ip.timestamp,
      ipNodeIdSig: ip.tlsSignature,
      trackedSubnets: self.trackedSubnets.map(hexToBytes),
      client: self.version,
      supportedAcps: [...self.acps.supported],
      objectedAcps: [...self.acps.objected],
      knownPeers: { filter: known.toBytes(), salt: known.salt },
      ipBlsSig: ip.blsSignature,
      allSubnets,
    },
  }
}

export interface HandshakeContext {
  readonly crypto: Crypto
  readonly networkID: number
  readonly upgrades: Upgrades
  readonly nowSeconds: bigint
  /** Limit of the difference between the peer's clock and this node's, seconds. */
  readonly maxClockDifference: bigint
  /** The certificate of the connection of the handshake. */
  readonly certificate: Certificate
  /** The compressed BLS key with which the peer is registered as a validator, if it is one. */
  readonly registeredKey: Uint8Array | undefined
}

/** Checks a handshake, in AvalancheGo's order. The bytes that are kept are copied, because they could keep a large message in memory. Throws `p2p.*`. */
export function checkHandshake(message: Handshake, context: HandshakeContext) {
  const { networkID, nowSeconds, maxClockDifference, upgrades } = context
  if (message.networkId !== networkID) throw p2pError("p2p.other_network", { got: message.networkId, expected: networkID })
  const skew = message.myTime > nowSeconds ? message.myTime - nowSeconds : nowSeconds - message.myTime
  if (skew > maxClockDifference) throw p2pError("p2p.clock_skew", { got: message.myTime, now: nowSeconds })
  const trackedSubnets = subnetsOf(message.trackedSubnets)
  const acps = checkAcps({ supported: message.supportedAcps, objected: message.objectedAcps })
  const knownPeers = message.knownPeers && parseKnownPeers(message.knownPeers)
  const ip = {
    ...claimedIpPort(message.ipAddr, message.ipPort),
    timestamp: message.ipSigningTime,
    tlsSignature: message.ipNodeIdSig.slice(),
    blsSignature: message.ipBlsSig.slice(),
  }
  verifyIp(ip, context.certificate, nowSeconds + maxClockDifference)
  checkBlsForm(ip.blsSignature, context.crypto.bls)
  const { name = "", major = 0, minor = 0, patch = 0 } = message.client ?? {}
  const version = { name: name.length > MAX_NAME_LENGTH ? "" : name, major, minor, patch }
  checkVersion(version, upgrades, nowSeconds)
  if (context.registeredKey) checkRegisteredKey(ip, context.registeredKey, context.crypto.bls)
  const { upgradeTime, allSubnets } = message
  const description: PeerDescription = {
    networkID,
    version,
    upgradeTime,
    acps,
    trackedSubnets,
    ip,
    asksForAllSubnets: allSubnets,
  }
  return { description, knownPeers }
}

/** Checks that a validator signed its address with its registered BLS key (compressed). Throws `p2p.bad_bls_signature`. */
export function checkRegisteredKey(ip: SignedIp, publicKey: Uint8Array, bls: Bls): void {
  if (!bls.verifyUnderPossessionTag(publicKey, ipPreimage(ip), ip.blsSignature)) throw p2pError("p2p.bad_bls_signature")
}

/** Filters the announced proposals of a peer by the current ones. Throws `p2p.contradicting_acps`. */
function checkAcps({ supported, objected }: AcpVotes): AcpVotes {
  const known = (acps: readonly number[]) => currentACPs.filter((acp) => acps.includes(acp))
  const votes = { supported: known(supported), objected: known(objected) }
  const both = votes.supported.find((acp) => votes.objected.includes(acp))
  if (both !== undefined) throw p2pError("p2p.contradicting_acps", { acp: both })
  return votes
}

/** Reads the filter of peers that another node knows. Throws `p2p.bad_filter` and `p2p.salt_too_long`. */
export function parseKnownPeers({ filter, salt }: FilterMessage): BloomFilter {
  if (salt.length > MAX_SALT_SIZE) throw p2pError("p2p.salt_too_long", { size: salt.length })
  return BloomFilter.parse(filter, salt)
}

function subnetsOf(raw: readonly Uint8Array[]): ID[] {
  if (raw.length > MAX_TRACKED_SUBNETS) throw p2pError("p2p.too_many_subnets", { count: raw.length })
  const bad = raw.find(({ length }) => length !== ID_SIZE)
  if (bad) throw p2pError("p2p.bad_subnet_id", { size: bad.length })
  return raw.map((bytes) => toHex(bytes) as ID)
}

/** The signature must be a point of the subgroup, validator or not. */
function checkBlsForm(signature: Uint8Array, bls: Bls): void {
  valueOrThrow(
    () => bls.checkSignature(signature),
    ({ message }) => p2pError("p2p.bad_bls_signature", { reason: message }),
  )
}
