import { describe, expect, test } from "vitest"
import { refusal } from "../../../test/refusal.js"
import { concatBytes, hexToBytes, toHex, utf8 } from "../lib/bytes.js"
import { p2pError } from "./errors.js"
import { encodeFrame } from "./frame.js"
import { type Compression, decodeMessage, encodeMessage, type OutgoingMessage } from "./message.js"

const P_CHAIN = new Uint8Array(32)
const zeros = "00".repeat(32)

/** These messages are not compressed; src/network/zstd.test.ts has those that are. */
const none: Compression = {
  compress: (bytes) => bytes,
  decompress() {
    throw p2pError("p2p.bad_compression")
  },
}

// AvalancheGo's own bytes for these messages, with the length in front.
const worked: readonly (readonly [string, OutgoingMessage, string])[] = [
  ["Ping, uptime 100", { case: "ping", value: { uptime: 100 } }, "000000045a020864"],
  ["Ping, uptime 0", { case: "ping", value: {} }, "000000025a00"],
  ["Pong", { case: "pong", value: {} }, "000000026200"],
  ["PeerList, empty", { case: "peerList", value: {} }, "000000027200"],
  [
    "GetPeerList with the smallest filter",
    { case: "getPeerList", value: { knownPeers: { filter: hexToBytes("01000000000000000000") } } },
    "000000119a020e0a0c0a0a01000000000000000000",
  ],
  [
    "GetAcceptedFrontier, P-Chain, request 1, deadline 5 s",
    { case: "getAcceptedFrontier", value: { chainId: P_CHAIN, requestId: 1, deadline: 5_000_000_000n } },
    `0000002d9a012a0a20${zeros}10011880e497d012`,
  ],
  [
    "AppError -2, P-Chain, request 7",
    { case: "appError", value: { chainId: P_CHAIN, requestId: 7, errorCode: -2, errorMessage: "unregistered handler" } },
    `0000003f92023c0a20${zeros}100718032214${toHex(utf8("unregistered handler"))}`,
  ],
]

describe("messages have the bytes of the reference", () => {
  test.each(worked)("%s", (_name, message, hex) => {
    const bytes = encodeMessage(message)
    expect(toHex(encodeFrame(bytes))).toBe(hex)
    expect(toHex(encodeMessage(decodeMessage(bytes, none) as OutgoingMessage))).toBe(toHex(bytes))
  })
})

test("an unknown kind gives no message and no error", () => {
  expect(decodeMessage(hexToBytes("aa0200"), none)).toBeUndefined()
  expect(decodeMessage(new Uint8Array(0), none)).toBeUndefined()
})

test.each([
  ["garbage", "ffffffff", "p2p.bad_message"],
  ["a truncated field", "5a05", "p2p.bad_message"],
  ["compressed garbage", "120101", "p2p.bad_compression"],
])("%s is refused", (_name, hex, code) => {
  expect(refusal(() => decodeMessage(hexToBytes(hex), none)).code).toBe(code)
})

// AvalancheGo reads and refuses the same: test/recordings has its verdicts on many such bytes.
test.each([
  ["a known number with another wire type is unknown", "5d01020304", undefined],
  ["and so it is in a nested message", "5a050d00000000", { case: "ping", value: { uptime: 0 } }],
  [
    "a list of numbers is read packed and one by one",
    "8a01082001220203042005",
    { case: "getAcceptedStateSummary", value: { heights: [1n, 3n, 4n, 5n] } },
  ],
  ["a message that occurs twice is one", "5a0208035a00", { case: "ping", value: { uptime: 3 } }],
  ["of several messages the last counts", "5a0208036200", { case: "pong", value: {} }],
  ["a group of unknown fields is skipped", "0b0801130b0c140c5a020803", { case: "ping", value: { uptime: 3 } }],
  ["a number of ten bytes is read", "5a0b08e4ffffffffffffffff01", { case: "ping", value: { uptime: 0xffffffe4 } }],
])("%s", (_name, hex, expected) => {
  const message = decodeMessage(hexToBytes(hex), none)
  if (expected === undefined) expect(message).toBeUndefined()
  else expect(message).toMatchObject(expected)
})

test.each([
  ["a tag above 32 bits", "da80808080808080800200"],
  ["a tenth byte above 1", "5a0b08e4ffffffffffffffff02"],
  ["a field that is longer than its message", "5a02080080"],
  ["a size beyond 32 bits", "5a808080801000"],
  ["a group that another number ends", "0b14"],
  ["the end of a group outside of one", "5c"],
  ["groups deeper than Go's limit", "0b".repeat(10_002) + "0c".repeat(10_002)],
  ["a wire type that does not exist", "5e"],
  ["the number 0", "0200"],
  ["text that is not UTF-8", "6a054a030a01ff"],
])("%s is refused", (_name, hex) => {
  expect(refusal(() => decodeMessage(hexToBytes(hex), none)).code).toBe("p2p.bad_message")
})

test.each([
  ["empty IDs", { case: "getAccepted", value: { containerIds: Array(65_537).fill(new Uint8Array(0)) } }],
  ["numbers in one field", { case: "getAcceptedStateSummary", value: { heights: Array(65_537).fill(0n) } }],
  ["messages in a message", { case: "peerList", value: { claimedIpPorts: Array(65_537).fill({}) } }],
] as readonly (readonly [string, OutgoingMessage])[])("a message of more than 65,536 %s is refused", (_name, message) => {
  expect(refusal(() => decodeMessage(encodeMessage(message), none)).code).toBe("p2p.too_many_values")
})

test("a message of as many IDs as fit into it is read, and so is one with a repeated field, or of unknown fields", () => {
  const containerIds = Array.from({ length: 60_000 }, () => new Uint8Array(32))
  expect(decodeMessage(encodeMessage({ case: "getAccepted", value: { containerIds } }), none)).toMatchObject({
    value: { containerIds: { length: 60_000 } },
  })
  const ping = encodeMessage({ case: "ping", value: { uptime: 3 } })
  for (const [hex, count] of [
    ["", 1],
    [toHex(ping), 400_000],
    ["0b0c", 800_000],
    ["0800", 1_000_000],
  ] as const) {
    const bytes = concatBytes(hexToBytes(hex.repeat(count)), ping)
    expect(decodeMessage(bytes, none)).toMatchObject({ case: "ping", value: { uptime: 3 } })
  }
})
