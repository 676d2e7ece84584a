import { encodeFrame, FrameReader } from "../src/core/p2p/frame.js"
import type { ConnectionID } from "../src/core/p2p/inbox.js"
import { decodeMessage, encodeMessage, type OutgoingMessage } from "../src/core/p2p/message.js"
import { Peers } from "../src/core/p2p/peers.js"
import { peerIdentity } from "../test/fixtures/peerIdentity.js"
import { peersOptions, uncompressed } from "../test/fixtures/peersOptions.js"
import { seededRandom } from "../test/simulator/random.js"
import type { Bench, Report, Work } from "./harness.js"

const id = new Uint8Array(32).fill(9)
const chainId = new Uint8Array(32)

/** The messages that a follower sends and receives most, and a large answer. */
const messages: readonly { readonly name: string; readonly message: OutgoingMessage }[] = [
  {
    name: "PullQuery",
    message: {
      case: "pullQuery",
      value: { chainId, requestId: 7, deadline: 5_000_000_000n, containerId: id, requestedHeight: 9n },
    },
  },
  {
    name: "Chits",
    message: {
      case: "chits",
      value: { chainId, requestId: 7, preferredId: id, acceptedId: id, preferredIdAtHeight: id, acceptedHeight: 9n },
    },
  },
  {
    name: "Ancestors of 1,000 blocks",
    message: { case: "ancestors", value: { chainId, requestId: 7, containers: Array(1_000).fill(new Uint8Array(1_200)) } },
  },
]

function encoding(message: OutgoingMessage): Work {
  return { run: () => encodeFrame(encodeMessage(message)) }
}

function decoding(message: OutgoingMessage): Work {
  const frame = encodeFrame(encodeMessage(message))
  const run = () => new FrameReader().push(frame).map((bytes) => decodeMessage(bytes, uncompressed))
  return { run, note: `${frame.length} B` }
}

const NOW = 1_750_000_000_000
const address = { ip: Uint8Array.of(127, 0, 0, 1), port: 9651 }

/** Two nodes that greet each other in memory: handshake and peer list in both directions, with all signatures checked. */
function handshaking(): Work {
  const identities = [peerIdentity("bench one"), peerIdentity("bench two")] as const
  const options = identities.map((identity, i) => peersOptions(identity, 9651 + i, seededRandom(i)))
  let queue: { readonly to: number; readonly frame: Uint8Array }[] = []
  const run = () => {
    let connected = 0
    queue = []
    const nodes = options.map(
      (each, i) =>
        new Peers(each, {
          write: (_id, frame) => queue.push({ to: 1 - i, frame }) > 0,
          close(_id, reason) {
            throw reason
          },
          dial: () => {},
          connected: () => void connected++,
          disconnected: () => {},
          message: () => {},
          uptimeOf: () => 0,
          fault: (_, error) => {
            throw error
          },
        }),
    )
    const ids = nodes.map((peers, i) => peers.open(identities[1 - i] as (typeof identities)[0], address, NOW))
    for (const [i, peers] of nodes.entries()) peers.start(ids[i] as ConnectionID, NOW)
    for (let next = queue.shift(); next; next = queue.shift()) {
      const peers = nodes[next.to] as Peers
      peers.received(ids[next.to] as ConnectionID, next.frame, NOW)
      peers.work(NOW, () => false)
    }
    if (connected !== 2) throw new Error(`${connected} of 2 nodes are connected`)
    return connected
  }
  return { run, note: "both sides" }
}

/** The CPU cost of the peer protocol: frames and handshakes. */
export const peers: readonly Bench[] = [
  ...messages.flatMap(({ name, message }): Bench[] => [
    { name: `peers: ${name}, encode a frame`, prepare: () => encoding(message) },
    { name: `peers: ${name}, decode a frame`, prepare: () => decoding(message) },
  ]),
  { name: "peers: a handshake", prepare: handshaking },
]

export const peerReports: readonly Report[] = [
  {
    name: "peers: blocks per second from a peer",
    run: async (print) => (await import("./peerSync.js")).reportSync(print),
  },
  {
    name: "peers: bootstrap beside AvalancheGo",
    run: async (print) => (await import("./bootstrapBesideAvalanchego.js")).reportBootstrap(print),
  },
  {
    name: "peers: follow beside AvalancheGo",
    run: async (print) => (await import("./followBesideAvalanchego.js")).reportFollow(print),
  },
  {
    name: "validators: finality in the simulator",
    run: async (print) => (await import("./finality.js")).reportFinality(print),
  },
  {
    name: "validators: five beside AvalancheGo",
    run: async (print) => (await import("./validatorsBesideAvalanchego.js")).reportValidators(print),
  },
  {
    name: "peers: transactions of a stranger",
    run: async (print) => (await import("./txFlood.js")).reportTxFlood(print),
  },
  {
    name: "peers: memory",
    run: async (print) => (await import("./peerMemory.js")).reportMemory(print),
  },
]
