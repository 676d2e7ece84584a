import { concatBytes, hexToBytes, toHex } from "../../../src/core/lib/bytes.js"
import { valueOrUndefined } from "../../../src/core/lib/invalid.js"
import { BloomFilter } from "../../../src/core/p2p/bloomFilter.js"
import { gossipID, readClaim, verifyClaim } from "../../../src/core/p2p/claim.js"
import { clientVersionText } from "../../../src/core/p2p/clientVersion.js"
import { p2pError } from "../../../src/core/p2p/errors.js"
import { encodeFrame } from "../../../src/core/p2p/frame.js"
import { checkHandshake, handshakeOf } from "../../../src/core/p2p/handshake.js"
import { ipPortText } from "../../../src/core/p2p/ipPort.js"
import { decodeMessage, encodeMessage } from "../../../src/core/p2p/message.js"
import { Peers } from "../../../src/core/p2p/peers.js"
import { type ClaimedIpPort, HandshakeSchema } from "../../../src/core/p2p/proto/p2p_pb.js"
import { decodeProtobuf } from "../../../src/core/p2p/protobuf.js"
import { nodeIDText, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { crypto } from "../../../src/platform/backends.js"
import { parseCertificate } from "../../../src/platform/certificate.js"
import { peerIdentity, signedIpOf } from "../../fixtures/peerIdentity.js"
import { peersOptions } from "../../fixtures/peersOptions.js"
import { seededRandom } from "../../simulator/random.js"
import { type Facts, passes, type ReadFacts, shortText } from "./facts.js"
import { compression, opOf } from "./messages.js"

/** The moment at which the judge's peer lives, Unix seconds. */
const NOW_SECONDS = 1_800_000_000n
const NOW = Number(NOW_SECONDS) * 1000
const SKEW = 60n

const own = peerIdentity("own")
const other = peerIdentity("other")
const options = { ...peersOptions(own, 9651, seededRandom(1), [], NOW_SECONDS), compression }
/** The filter of a node that knows no addresses. */
const EMPTY_FILTER = "01000000000000000000"

const greetings = [
  handshakeOf(
    options.introduction,
    signedIpOf(other, 9651, NOW_SECONDS),
    BloomFilter.parse(hexToBytes(EMPTY_FILTER), new Uint8Array(0)),
    NOW_SECONDS,
  ),
  { case: "peerList", value: {} } as const,
].map((message) => encodeFrame(encodeMessage(message)))

/** Takes bytes from a connection whose handshakes are complete. Throws the reason if they end the connection, or are incomplete. */
export const readFrame = (facts: Facts, bytes: Uint8Array): void => {
  const routed: string[] = []
  let closed: Error | undefined
  const peers: Peers = new Peers(options, {
    write: () => true,
    close: (_id, reason) => {
      closed ??= reason
    },
    dial: () => {},
    connected: () => {},
    disconnected: () => {},
    message: (_nodeID, message) => void routed.push(opOf(message.case)),
    uptimeOf: () => 100,
    fault: (_, error) => {
      throw error
    },
  })
  const id = peers.open(other, { ip: Uint8Array.of(127, 0, 0, 1), port: 9651 }, NOW)
  for (const each of [...greetings, bytes]) {
    peers.received(id, each, NOW)
    peers.work(NOW, () => false)
  }
  facts.routed = routed
  if (closed) throw closed
  const { pending = 0 } = peers.connections.get(id)?.frames ?? {}
  if (pending > 0) throw p2pError("p2p.incomplete_too_long", { bytes: pending })
}

export const readSession = (facts: Facts, bytes: Uint8Array): void => {
  facts.claims = []
  readFrame(facts, encodeFrame(bytes))
  const message = valueOrUndefined(() => decodeMessage(bytes, compression))
  if (message?.case === "peerList") facts.claims = message.value.claimedIpPorts.map(claimFacts)
}

function claimFacts(entry: ClaimedIpPort): Facts {
  const claim = readClaim(entry, parseCertificate)
  return {
    node_id: nodeIDText(claim.nodeID),
    address: ipPortText(claim),
    timestamp: `${claim.timestamp}`,
    gossip_id: toHex(gossipID(claim)),
    signature: passes(() => verifyClaim(claim, NOW_SECONDS + SKEW)),
  }
}

export const readPeerListClaim: ReadFacts = (facts, bytes) => {
  readSession(facts, lengthDelimited(PEER_LIST, lengthDelimited(1, bytes)))
  const { claims } = facts
  delete facts.claims
  if (Array.isArray(claims) && claims.length === 1) Object.assign(facts, claims[0])
  else throw p2pError("p2p.bad_message", { offset: 0 })
}

/** The number of the field for a peer list in a message. */
const PEER_LIST = 14

/** Writes a field of a protobuf message. */
function lengthDelimited(field: number, content: Uint8Array): Uint8Array {
  const size: number[] = []
  for (let left = content.length; left > 0 || size.length === 0; left >>>= 7) size.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0))
  return concatBytes(Uint8Array.of((field << 3) | 2, ...size), content)
}

export const readHandshake: ReadFacts = (facts, bytes, also) => {
  facts.certificate = false
  const certificate = parseCertificate(also)
  facts.certificate = true
  const context = {
    crypto,
    networkID: 12345,
    upgrades: options.upgrades,
    nowSeconds: NOW_SECONDS,
    maxClockDifference: SKEW,
    certificate,
    registeredKey: undefined,
  }
  const { description, knownPeers } = checkHandshake(decodeProtobuf(HandshakeSchema, bytes), context)
  Object.assign(facts, {
    ip: ipPortText(description.ip),
    timestamp: `${description.ip.timestamp}`,
    version: clientVersionText(description.version),
    subnets: [...new Set([PRIMARY_NETWORK_ID, ...description.trackedSubnets])].sort(),
    all_subnets: description.asksForAllSubnets,
    filter: knownPeers ? shortText(knownPeers.toBytes()) : EMPTY_FILTER,
    salt: toHex(knownPeers?.salt ?? new Uint8Array(0)),
  })
}
