import { expect, test } from "vitest"
import { uncompressed } from "../../../test/fixtures/peersOptions.js"
import { seededRandom } from "../../../test/simulator/random.js"
import { Invalid } from "../lib/invalid.js"
import { encodeFrame, FrameReader } from "./frame.js"
import { decodeMessage, encodeMessage, type OutgoingMessage } from "./message.js"
import { randomIndex } from "./random.js"

const chainId = new Uint8Array(32)
const id = new Uint8Array(32).fill(9)
const samples: readonly OutgoingMessage[] = [
  { case: "ping", value: { uptime: 100 } },
  {
    case: "handshake",
    value: { networkId: 1, myTime: 9n, ipAddr: id, trackedSubnets: [id], supportedAcps: [1, 2], client: { name: "a" } },
  },
  { case: "peerList", value: { claimedIpPorts: [{ x509Certificate: id, ipAddr: id, ipPort: 9, timestamp: 7n, signature: id }] } },
  { case: "getAncestors", value: { chainId, requestId: 7, deadline: 9n, containerId: id, engineType: 2 } },
  { case: "ancestors", value: { chainId, requestId: 7, containers: [id, id] } },
  {
    case: "chits",
    value: { chainId, requestId: 7, preferredId: id, acceptedId: id, preferredIdAtHeight: id, acceptedHeight: 5n },
  },
  { case: "appError", value: { chainId, requestId: 7, errorCode: -2, errorMessage: "unregistered handler" } },
]

/** `npm run soak` tries fifty times as many. */
const COUNT = process.env.SERAC_SOAK ? 1_000_000 : 20_000

test(`${COUNT} mutated frames are read or refused, and nothing else happens`, () => {
  const random = seededRandom(Number(process.env.SERAC_SEED ?? 20261115))
  let read = 0
  for (let i = 0; i < COUNT; i++) {
    const frame = encodeFrame(encodeMessage(samples[i % samples.length] as OutgoingMessage))
    for (let changes = 1 + randomIndex(random, 4); changes > 0; changes--) {
      frame[randomIndex(random, frame.length)] = randomIndex(random, 256)
    }
    const cut = random.fraction() < 0.2 ? frame.subarray(0, randomIndex(random, frame.length)) : frame
    try {
      for (const message of new FrameReader().push(cut)) if (decodeMessage(message, uncompressed)) read++
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
    }
  }
  expect(read).toBeGreaterThan(COUNT / 10)
})
