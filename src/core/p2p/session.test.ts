import { describe, expect, test } from "vitest"
import { peerIdentity, signedIpOf } from "../../../test/fixtures/peerIdentity.js"
import { peersOptions } from "../../../test/fixtures/peersOptions.js"
import { seededRandom } from "../../../test/simulator/random.js"
import { concatBytes, hexToBytes } from "../lib/bytes.js"
import type { Invalid } from "../lib/invalid.js"
import { upTo } from "../networks/upgrades.js"
import type { NodeID } from "../types/id.js"
import type { ValidatorInfo } from "./addressBook.js"
import { BloomFilter } from "./bloomFilter.js"
import { encodeFrame, FrameReader } from "./frame.js"
import { handshakeOf } from "./handshake.js"
import {
  type Compression,
  decodeMessage,
  encodeMessage,
  type MessageOf,
  type OutgoingMessage,
  type PeerMessage,
} from "./message.js"
import { Peers } from "./peers.js"
import type { PeersOptions } from "./peersPort.js"

const NOW = 1_750_000_000_000
const own = peerIdentity("own")
const other = peerIdentity("other")
const third = peerIdentity("third")
const ip = signedIpOf(other, 9651, 1_750_000_000n)

/** A node under test, and a peer whose messages are made by hand. */
function session(options: Partial<PeersOptions> = {}, validators: ReadonlyMap<NodeID, ValidatorInfo> = new Map()) {
  const seen = { sent: [] as PeerMessage[], closed: undefined as string | undefined, delivered: [] as string[] }
  const full = { ...peersOptions(own, 9651, seededRandom(1)), ...options }
  const frames = new FrameReader()
  const peers: Peers = new Peers(full, {
    write(_id, frame) {
      for (const each of frames.push(frame)) seen.sent.push(decodeMessage(each, full.compression) as PeerMessage)
      return true
    },
    close(_id: number, reason: Invalid) {
      seen.closed ??= reason.code
    },
    dial: () => {},
    connected: () => void seen.delivered.push("connected"),
    disconnected: () => void seen.delivered.push("disconnected"),
    message: (_nodeID, message) => void seen.delivered.push(message.case),
    uptimeOf: () => 50,
    fault: (_, error) => {
      throw error
    },
  })
  peers.setValidators(validators)
  const id = peers.open(other, { ip: Uint8Array.of(127, 0, 0, 1), port: 1234 }, NOW)
  peers.start(id, NOW)
  const peerSends = (message: OutgoingMessage, at = NOW) => {
    peers.received(id, encodeFrame(encodeMessage(message)), at)
    peers.work(at, () => false)
  }
  const greets = () => {
    peerSends(handshake())
    peerSends({ case: "peerList", value: {} })
  }
  return { peers, id, seen, peerSends, greets, sent: () => seen.sent.map((message) => message.case) }
}

type HandshakeFields = Extract<OutgoingMessage, { case: "handshake" }>["value"]

function handshake(changes: Partial<HandshakeFields> = {}): OutgoingMessage {
  const { introduction } = peersOptions(other, 9651, seededRandom(2))
  const known = BloomFilter.parse(hexToBytes("01000000000000000000"), new Uint8Array(0))
  const message = handshakeOf(introduction, ip, known, BigInt(NOW / 1000)) as MessageOf<"handshake">
  return { case: "handshake", value: { ...message.value, ...changes } as HandshakeFields }
}

test("the handshake is sent at once, and a peer list answers the peer's", () => {
  const { seen, greets, sent, peers } = session()
  expect(sent()).toEqual(["handshake"])
  greets()
  expect(sent()).toEqual(["handshake", "peerList"])
  expect(seen).toMatchObject({ delivered: ["connected"], closed: undefined })
  expect(peers.status()).toMatchObject([{ nodeID: other.nodeID, description: { version: { minor: 15 } } }])
})

test("messages about chains are dropped until the handshake is complete", () => {
  const { seen, peerSends, greets } = session()
  peerSends({ case: "getAcceptedFrontier", value: {} })
  peerSends({ case: "peerList", value: {} })
  expect(seen.delivered).toEqual([])
  greets()
  peerSends({ case: "getAcceptedFrontier", value: {} })
  expect(seen.delivered).toEqual(["connected", "getAcceptedFrontier"])
})

const BAD_POINT = new Uint8Array(96).fill(1)
const refusedHandshakes: readonly (readonly [string, Partial<HandshakeFields>, string])[] = [
  ["of another network", { networkId: 1 }, "p2p.other_network"],
  ["from 61 s ago", { myTime: BigInt(NOW / 1000) - 61n }, "p2p.clock_skew"],
  ["from 61 s ahead", { myTime: BigInt(NOW / 1000) + 61n }, "p2p.clock_skew"],
  ["with 17 subnets", { trackedSubnets: Array(17).fill(new Uint8Array(32)) }, "p2p.too_many_subnets"],
  ["with a short subnet ID", { trackedSubnets: [new Uint8Array(31)] }, "p2p.bad_subnet_id"],
  ["for and against an ACP", { supportedAcps: [236], objectedAcps: [236] }, "p2p.contradicting_acps"],
  ["with an empty filter", { knownPeers: {} }, "p2p.bad_filter"],
  [
    "with a long salt",
    { knownPeers: { filter: hexToBytes("01000000000000000000"), salt: new Uint8Array(33) } },
    "p2p.salt_too_long",
  ],
  ["without address", { ipAddr: new Uint8Array(0) }, "p2p.bad_address"],
  ["with port 0", { ipPort: 65536 }, "p2p.bad_address"],
  ["with an address from the future", { ipSigningTime: BigInt(NOW / 1000) + 61n }, "p2p.address_from_future"],
  ["with another address than signed", { ipPort: 9652 }, "p2p.bad_address_signature"],
  ["without BLS signature", { ipBlsSig: new Uint8Array(0) }, "p2p.bad_bls_signature"],
  ["with a BLS signature that is no point", { ipBlsSig: BAD_POINT }, "p2p.bad_bls_signature"],
  ["of an old version", { client: { name: "avalanchego", major: 1, minor: 13, patch: 9 } }, "p2p.version_too_old"],
  ["of a newer major version", { client: { name: "avalanchego", major: 2 } }, "p2p.version_too_new"],
]

describe("a handshake closes the connection without an answer if it is", () => {
  test.each(refusedHandshakes)("%s", (_name, changes, code) => {
    const { seen, peerSends, sent } = session()
    peerSends(handshake(changes))
    expect([seen.closed, sent()]).toEqual([code, ["handshake"]])
  })
})

test.each([
  ["an unknown ACP on both lists", { supportedAcps: [99], objectedAcps: [99] }],
  ["another client name", { client: { name: "serac", major: 1, minor: 15, patch: 0 } }],
  ["a newer minor version", { client: { name: "avalanchego", major: 1, minor: 99, patch: 0 } }],
  ["no filter", { knownPeers: undefined }],
] as const)("a handshake with %s is accepted", (_name, changes) => {
  const { seen, peerSends, sent } = session()
  peerSends(handshake(changes as Partial<HandshakeFields>))
  expect([seen.closed, sent()]).toEqual([undefined, ["handshake", "peerList"]])
})

test("a validator must sign its address with its registered BLS key, also if it becomes one later", () => {
  const asValidator = (publicKey: Uint8Array) => new Map([[other.nodeID, { weight: 1n, publicKey }]])
  const wrong = session({}, asValidator(third.blsKey))
  wrong.peerSends(handshake())
  expect(wrong.seen.closed).toBe("p2p.bad_bls_signature")
  const right = session({}, asValidator(other.blsKey))
  right.greets()
  right.peers.tick(NOW + 22_500)
  expect(right.seen.closed).toBeUndefined()
  right.peers.setValidators(asValidator(third.blsKey))
  right.peerSends({ case: "pong", value: {} }, NOW + 22_600)
  right.peers.tick(NOW + 45_000)
  expect(right.seen.closed).toBe("p2p.bad_bls_signature")
})

test("from Helicon on only 1.15 and newer is accepted", () => {
  const client = { name: "avalanchego", major: 1, minor: 14, patch: 2 }
  const before = session()
  before.peerSends(handshake({ client }))
  const after = session({ upgrades: upTo("helicon") })
  after.peerSends(handshake({ client }))
  expect([before.seen.closed, after.seen.closed]).toEqual([undefined, "p2p.version_too_old"])
})

const misbehaviour: readonly (readonly [string, OutgoingMessage, string])[] = [
  ["a second handshake", handshake(), "p2p.second_handshake"],
  ["an uptime of 101", { case: "ping", value: { uptime: 101 } }, "p2p.bad_uptime"],
  ["a pong that nobody asked for", { case: "pong", value: {} }, "p2p.unexpected_pong"],
  ["a question for peers without filter", { case: "getPeerList", value: {} }, "p2p.no_filter"],
  [
    "a peer list with a bad certificate",
    { case: "peerList", value: { claimedIpPorts: [{ x509Certificate: new Uint8Array(9), ipAddr: ip.ip, ipPort: 1 }] } },
    "crypto.certificate_malformed",
  ],
  [
    "a peer list with a bad address",
    {
      case: "peerList",
      value: { claimedIpPorts: [{ x509Certificate: third.certificate, ipAddr: ip.ip.subarray(1), ipPort: 1 }] },
    },
    "p2p.bad_address",
  ],
]

test.each(misbehaviour)("%s closes the connection", (_name, message, code) => {
  const { seen, peerSends, greets } = session()
  greets()
  peerSends(message)
  expect(seen.closed).toBe(code)
})

test("a false claim closes the connection if the node is wanted, and is skipped otherwise", () => {
  const claimed = { x509Certificate: third.certificate, ipAddr: ip.ip, ipPort: 1, timestamp: 5n, signature: new Uint8Array(70) }
  const lie: OutgoingMessage = { case: "peerList", value: { claimedIpPorts: [claimed] } }
  const unwanted = session()
  unwanted.greets()
  unwanted.peerSends(lie)
  expect(unwanted.seen.closed).toBeUndefined()
  const wanted = session({}, new Map([[third.nodeID, { weight: 1n, publicKey: undefined }]]))
  wanted.greets()
  wanted.peerSends(lie)
  expect(wanted.seen.closed).toBe("p2p.bad_address_signature")
})

test("garbage, unknown kinds, empty frames and unexpected answers do not close the connection", () => {
  const { seen, greets, peers, id } = session()
  greets()
  for (const hex of ["", "ff", "a20200", "5a05", "1203010203"]) peers.received(id, encodeFrame(hexToBytes(hex)), NOW)
  expect(peers.work(NOW, () => false)).toBe(false)
  expect(seen.closed).toBeUndefined()
})

test("a frame over 2 MiB closes the connection", () => {
  const { seen, peers, id } = session()
  peers.received(id, Uint8Array.of(0, 0x20, 0, 1), NOW)
  expect(seen.closed).toBe("p2p.frame_too_large")
})

test("each ping is answered once, pings go out every 22.5 s, and a peer that is silent for 30 s is closed", () => {
  const { seen, peerSends, greets, sent, peers } = session()
  greets()
  peerSends({ case: "ping", value: { uptime: 42 } })
  expect(sent()).toEqual(["handshake", "peerList", "pong"])
  expect(peers.status()).toMatchObject([{ uptimeReport: { percent: 42, at: NOW } }])
  peers.tick(NOW + 22_500)
  expect(seen.sent.at(-1)).toMatchObject({ case: "ping", value: { uptime: 50 } })
  peerSends({ case: "pong", value: {} }, NOW + 23_000)
  peers.tick(NOW + 53_000)
  expect(seen.closed).toBeUndefined()
  peers.tick(NOW + 53_001)
  expect(seen.closed).toBe("p2p.silent")
})

test("a peer that sends a byte a second is closed after 30 s, since bytes without a whole message do not count", () => {
  const { seen, peers, id, greets } = session()
  greets()
  const frame = encodeFrame(new Uint8Array(1_000))
  for (let second = 1; second <= 30; second++) {
    peers.received(id, frame.slice(second - 1, second), NOW + second * 1_000)
    peers.tick(NOW + second * 1_000)
  }
  expect(seen.closed).toBeUndefined()
  peers.tick(NOW + 30_001)
  expect(seen.closed).toBe("p2p.silent")
})

test("a peer that sends more than 2 MiB at once is read from later, unless it was asked", () => {
  const { peers, id, greets } = session()
  greets()
  const chunk = encodeFrame(new Uint8Array(2 * 1024 * 1024 - 100_000))
  const handled = () => peers.work(NOW, () => false)
  expect(peers.received(id, chunk, NOW)).toBe(0)
  handled()
  expect(peers.received(id, chunk, NOW)).toBeGreaterThan(3_000)
  handled()
  peers.send(other.nodeID, { case: "getAncestors", value: {} })
  peers.send(other.nodeID, { case: "getAncestors", value: {} })
  handled()
  expect(peers.received(id, chunk, NOW)).toBe(0)
})

test("a connection to oneself and a second one to the same node are refused", () => {
  const { peers } = session()
  expect(() => peers.open(own, { ip: ip.ip, port: 1 }, NOW)).toThrow("our own node ID")
  expect(() => peers.open(other, { ip: ip.ip, port: 1 }, NOW)).toThrow("already connected")
})

test("messages wait in a bounded queue, expire, and the connection that caused the least work is served first", () => {
  const { peers, id, seen, greets } = session()
  greets()
  const frontier = (deadline: bigint) => encodeFrame(encodeMessage({ case: "getAcceptedFrontier", value: { deadline } }))
  let pause = 0
  for (let i = 0; i < 1024; i++) pause = peers.received(id, frontier(1_000_000_000n), NOW)
  expect([pause, seen.delivered.length]).toEqual([20, 1])
  let left = 24
  expect(peers.work(NOW, () => left-- <= 0)).toBe(true)
  expect([seen.delivered.length, peers.readPause(id, NOW)]).toEqual([25, 0])
  // The others were to be answered within a second.
  expect(peers.work(NOW + 1_001, () => false)).toBe(false)
  expect(seen.delivered.length).toBe(25)
})

/** Compression that unpacks any bytes to one message of 1.9 MB. */
const large = encodeMessage({ case: "appGossip", value: { appBytes: new Uint8Array(1_900_000) } })
const strongCompression: Compression = { compress: (bytes) => bytes, decompress: () => large }

test("the bytes of an unpacked message count as if they had been read: its sender's other messages wait, and reading pauses", () => {
  const { peers, id, seen, greets } = session({ compression: strongCompression })
  greets()
  const packed = encodeFrame(concatBytes(Uint8Array.of(0x12, 19), new Uint8Array(19)))
  for (let i = 0; i < 100; i++) expect(peers.received(id, packed, NOW)).toBe(0)
  const delivered = (at: number) => {
    expect(peers.work(at, () => false)).toBe(false)
    return seen.delivered.filter((kind) => kind === "appGossip").length
  }
  // 2 MiB at once, then 512 KiB a second.
  expect(delivered(NOW)).toBe(2)
  expect(peers.readPause(id, NOW)).toBeGreaterThan(3_000)
  expect([1_000, 2_000, 3_000, 4_000, 36_000].map((ms) => delivered(NOW + ms))).toEqual([2, 2, 2, 3, 5])
})

test("a message that begins like a ping and is none waits for its turn, and is charged before it is decoded", () => {
  let unpacked = 0
  const decompress = () => {
    unpacked++
    return large
  }
  const counting: Compression = { ...strongCompression, decompress }
  const { peers, id, greets } = session({ compression: counting })
  greets()
  const pingInFront = encodeFrame(concatBytes(Uint8Array.of(0x5a, 0, 0x12, 19), new Uint8Array(19)))
  expect(peers.received(id, concatBytes(...Array(32).fill(pingInFront)), NOW)).toBe(0)
  expect(unpacked).toBe(0)
  peers.work(NOW, () => false)
  // 2 MiB at once, then 512 KiB a second.
  expect(unpacked).toBe(2)
})

test("pings are charged like other messages, and wait when their sender is in debt", () => {
  const { peers, id, seen, greets } = session()
  greets()
  const ping = encodeFrame(encodeMessage({ case: "ping", value: { uptime: 1 } }))
  const pongs = () => seen.sent.filter((message) => message.case === "pong").length
  expect(peers.received(id, ping, NOW)).toBe(0)
  expect(pongs()).toBe(1)
  peers.received(id, concatBytes(encodeFrame(new Uint8Array(2 * 1024 * 1024))), NOW)
  expect(peers.received(id, ping, NOW)).toBeGreaterThan(0)
  expect(pongs()).toBe(1)
  peers.work(NOW + 1_000, () => false)
  expect(pongs()).toBe(2)
})

test("the time that a request takes is charged: an eighth of a processor, and the share of the stake; that of an answer is not", () => {
  let clock = 0
  const ran = (message: OutgoingMessage, validators?: ReadonlyMap<NodeID, ValidatorInfo>) => {
    const { peers, id, seen, greets } = session({ stopwatch: () => (clock += 50) }, validators)
    greets()
    for (let i = 0; i < 200; i++) peers.received(id, encodeFrame(encodeMessage(message)), NOW)
    const before = seen.delivered.length
    for (let ms = 0; ms <= 10_000; ms += 50) peers.work(NOW + ms, () => false)
    return seen.delivered.length - before
  }
  const deadline = 60_000_000_000n
  // Each takes 50 ms. A burst is worth half a second, and then an eighth of ten seconds follows.
  const charged = ran({ case: "getAcceptedFrontier", value: { deadline } })
  expect([charged > 30, charged < 40]).toEqual([true, true])
  expect(ran({ case: "ancestors", value: {} })).toBe(200)
  const withStake = (weight: bigint) => {
    const validators = new Map([other, third].map(({ nodeID }) => [nodeID, { weight, publicKey: undefined }]))
    return validators.set(third.nodeID, { weight: 8n - weight, publicKey: undefined })
  }
  // With an eighth of the stake a peer takes a quarter of a processor.
  const twice = ran({ case: "getAcceptedFrontier", value: { deadline } }, withStake(1n))
  expect([twice > 60, twice < 80]).toEqual([true, true])
  expect(ran({ case: "getAcceptedFrontier", value: { deadline } }, withStake(8n))).toBe(200)
})

test("a node without stake is not allowed more bytes because a block is requested from it, since it can make this node do so", () => {
  const chunk = encodeFrame(new Uint8Array(2 * 1024 * 1024 - 100_000))
  const pauseAfterGet = (validators?: ReadonlyMap<NodeID, ValidatorInfo>) => {
    const { peers, id, greets } = session({}, validators)
    greets()
    peers.received(id, chunk, NOW)
    peers.work(NOW, () => false)
    for (let i = 0; i < 100; i++) peers.send(other.nodeID, { case: "get", value: {} })
    const pauses = Array.from({ length: 6 }, () => {
      const pause = peers.received(id, chunk, NOW)
      peers.work(NOW, () => false)
      return pause > 0
    })
    return pauses.indexOf(true)
  }
  expect(pauseAfterGet()).toBe(0)
  // Neither may a validator ask for any number of bytes.
  expect(pauseAfterGet(new Map([[other.nodeID, { weight: 1n, publicKey: undefined }]]))).toBe(5)
})

test("a large handshake and a large peer list leave only their small facts in memory", () => {
  const bits = new Uint8Array(800_000)
  bits[0] = 1
  const { peers, peerSends } = session({}, new Map([[third.nodeID, { weight: 1n, publicKey: undefined }]]))
  const client = { name: "n".repeat(500_000), major: 1, minor: 15, patch: 0 }
  peerSends(handshake({ client, knownPeers: { filter: bits, salt: new Uint8Array(0) } } as Partial<HandshakeFields>))
  const claim = signedIpOf(third, 9653, 1_750_000_000n)
  const { port: ipPort, ip: ipAddr, timestamp, tlsSignature: signature } = claim
  const claimedIpPorts = [
    { x509Certificate: third.certificate, ipAddr, ipPort, timestamp, signature, txId: new Uint8Array(400_000) },
  ]
  peerSends({ case: "peerList", value: { claimedIpPorts } })
  const [status] = peers.status()
  const { ip, version, ...facts } = (status as NonNullable<typeof status>).description
  expect([version.name, "knownPeers" in facts]).toEqual(["", false])
  expect([ip.ip, ip.tlsSignature, ip.blsSignature].map(({ buffer, length }) => buffer.byteLength === length)).toEqual([
    true,
    true,
    true,
  ])
})

test("of a peer list 128 claims are read, and a false one among them ends the connection", () => {
  const bad = { x509Certificate: new Uint8Array(10), ipAddr: ip.ip, ipPort: 1, timestamp: 1n, signature: new Uint8Array(0) }
  const { certificate: x509Certificate } = third
  const good = { ...bad, x509Certificate }
  const closedBy = (count: number) => {
    const { seen, peerSends, greets } = session()
    greets()
    peerSends({ case: "peerList", value: { claimedIpPorts: [...Array(count).fill(good), bad] } })
    return seen.closed
  }
  expect([closedBy(127), closedBy(128)]).toEqual(["crypto.certificate_malformed", undefined])
})
