import { expect, test } from "vitest"
import { type PeerIdentity, peerIdentity } from "../../../test/fixtures/peerIdentity.js"
import { peersOptions, silentPort } from "../../../test/fixtures/peersOptions.js"
import { seededRandom } from "../../../test/simulator/random.js"
import { SimulatedNetwork } from "../../../test/simulator/simulatedNetwork.js"
import { Simulation } from "../../../test/simulator/simulation.js"
import type { NodeID } from "../types/id.js"
import type { ValidatorInfo } from "./addressBook.js"
import { encodeFrame } from "./frame.js"
import { encodeMessage } from "./message.js"
import { defaultPeerSettings, type PeerSettings } from "./peerSettings.js"
import { Peers } from "./peers.js"
import type { PeersPort } from "./peersPort.js"

const identities = Array.from({ length: 6 }, (_, i) => peerIdentity(`node ${i}`))
const [first] = identities as [PeerIdentity]
const validators = new Map<NodeID, ValidatorInfo>(
  identities.slice(0, 5).map(({ nodeID }) => [nodeID, { weight: 1n, publicKey: undefined }]),
)

/** A network of which every node knows the first one. */
function network(seed: number, breakage = 0, port: Partial<PeersPort> = {}) {
  const simulation = new Simulation(seed)
  const links = new SimulatedNetwork(simulation, { minLatency: 1, maxLatency: 50, breakage })
  const events: string[] = []
  const hosts = identities.map((identity, i) => {
    const bootstrappers = [{ nodeID: first.nodeID, address: { ip: Uint8Array.of(127, 0, 0, 1), port: 10_000 } }]
    const peers: Peers = new Peers(peersOptions(identity, 10_000 + i, simulation.random.fork(), bootstrappers), {
      ...links.portOf(identity.nodeID),
      connected: (nodeID) => void events.push(`${simulation.now} ${i} + ${nodeID}`),
      disconnected: (nodeID) => void events.push(`${simulation.now} ${i} - ${nodeID}`),
      message: () => {},
      uptimeOf: () => 7,
      fault: (_, error) => {
        throw error
      },
      ...port,
    })
    peers.setValidators(validators)
    links.add({ remote: identity, port: 10_000 + i, peers })
    const tick = () => {
      peers.tick(simulation.now)
      simulation.after(100, tick)
    }
    tick()
    return peers
  })
  const connections = () => hosts.map((peers) => peers.status().length)
  return { simulation, links, hosts, events, connections }
}

test("nodes that know one bootstrapper find all validators, and a node that validates nothing stays connected to them", () => {
  const { simulation, hosts, connections } = network(1)
  expect(simulation.runUntil(() => connections().every((count) => count === 5), 60_000)).toBe(true)
  simulation.runFor(120_000)
  expect(connections()).toEqual([5, 5, 5, 5, 5, 5])
  expect(hosts[5]?.status().map(({ uptimeReport }) => uptimeReport?.percent)).toEqual([7, 7, 7, 7, 7])
  // Validators alone ask for the addresses of all subnets.
  const asking = hosts[0]?.status().filter(({ description }) => description.asksForAllSubnets)
  expect(asking?.map(({ nodeID }) => nodeID).sort()).toEqual(
    identities
      .slice(1, 5)
      .map(({ nodeID }) => nodeID)
      .sort(),
  )
})

test("the same seed gives the same run", () => {
  const run = (seed: number) => {
    const { simulation, events } = network(seed, 0.01)
    simulation.runFor(60_000)
    return events
  }
  expect(run(3)).toEqual(run(3))
  expect(run(3)).not.toEqual(run(4))
})

test("connections come back after breakage and partitions", () => {
  const { simulation, links, connections, events } = network(2, 0.02)
  simulation.runFor(60_000)
  links.partition(identities.slice(0, 2).map(({ nodeID }) => nodeID))
  simulation.runFor(60_000)
  expect(
    connections()
      .slice(0, 2)
      .every((count) => count <= 1),
  ).toBe(true)
  expect(events.some((event) => event.includes(" - "))).toBe(true)
  links.heal()
  links.conditions = { ...links.conditions, breakage: 0 }
  expect(simulation.runUntil(() => connections().every((count) => count === 5), 180_000)).toBe(true)
})

/** A node with these settings that reads from one connection, and a function that returns how many milliseconds it then pauses. */
function reading(settings: Partial<PeerSettings>): (bytes: Uint8Array) => number {
  const options = { ...peersOptions(first, 9651, seededRandom(1)), settings: { ...defaultPeerSettings, ...settings } }
  const peers = new Peers(options, silentPort)
  const id = peers.open(identities[1] as PeerIdentity, { ip: Uint8Array.of(127, 0, 0, 1), port: 1 }, 0)
  return (bytes) => peers.received(id, bytes, 0)
}

/** For how many milliseconds a node with these settings does not read after 1,000 bytes of messages. */
const pauseAfterBytes = (settings: Partial<PeerSettings>): number =>
  reading(settings)(Buffer.concat(Array(10).fill(encodeFrame(new Uint8Array(96)))))

test("a peer that sends more than its bandwidth, or than may wait, is not read from for a while", () => {
  expect(pauseAfterBytes({})).toBe(0)
  expect(pauseAfterBytes({ bandwidth: { perSecond: 100, burst: 500 } })).toBe(5_000)
  expect(pauseAfterBytes({ inbox: { ...defaultPeerSettings.inbox, maxMessages: 10 } })).toBe(20)
  const room = { shared: 1e6, sharedPerPeer: 900, forValidators: 0 }
  expect(pauseAfterBytes({ inbox: { ...defaultPeerSettings.inbox, maxMessages: 100, room } })).toBe(20)
})

test("incomplete messages of all peers have a bound: the peer whose message began first is closed, unless its stake has room for it", () => {
  const room = { shared: 1e6, sharedPerPeer: 1e6, forValidators: 10_000 }
  const inbox = { ...defaultPeerSettings.inbox, room, maxIncomplete: 9_000 }
  const closed: string[] = []
  const peers: Peers = new Peers(
    { ...peersOptions(first, 9651, seededRandom(1)), settings: { ...defaultPeerSettings, inbox } },
    {
      ...silentPort,
      close(id, { code }) {
        closed.push(`${id} ${code}`)
        peers.closed(id, 0)
      },
    },
  )
  peers.setValidators(new Map([[identities[1]?.nodeID as NodeID, { weight: 1n, publicKey: undefined }]]))
  const [staked, one, two, three] = [1, 2, 3, 4].map((i) =>
    peers.open(identities[i] as PeerIdentity, { ip: Uint8Array.of(127, 0, 0, 1), port: i }, 0),
  ) as [number, number, number, number]
  // A message of 2,000 bytes, for which 4,004 are allocated when all but the last two have arrived.
  const [most, rest] = [encodeFrame(new Uint8Array(2_000)).subarray(0, -2), new Uint8Array(2)]
  for (const id of [staked, one, two]) peers.received(id, most.subarray(0, 100), 0)
  // The one that began second completes its message and begins another.
  for (const bytes of [most.subarray(100), rest, most.subarray(0, 100)]) peers.received(one, bytes, 0)
  for (const id of [staked, two]) peers.received(id, most.subarray(100), 0)
  expect(closed).toEqual([])
  peers.received(three, most, 0)
  expect(closed).toEqual([`${two} p2p.incomplete_too_long`])
  peers.received(one, most.subarray(100), 0)
  expect(closed.slice(1)).toEqual([`${one} p2p.incomplete_too_long`])
})

test("what follows a ping that breaks a rule is not kept", () => {
  const peers: Peers = new Peers(peersOptions(first, 9651, seededRandom(1)), {
    ...silentPort,
    close: (id) => peers.closed(id, 0),
  })
  const id = peers.open(identities[1] as PeerIdentity, { ip: Uint8Array.of(127, 0, 0, 1), port: 1 }, 0)
  const badPing = encodeFrame(encodeMessage({ case: "ping", value: { uptime: 101 } }))
  peers.received(id, Buffer.concat([badPing, encodeFrame(new Uint8Array(96))]), 0)
  expect(peers.work(0, () => true)).toBe(false)
})

test("a peer that sends its bytes one by one is paused as if it had sent 64 each time", () => {
  const read = reading({ bandwidth: { perSecond: 640, burst: 640 } })
  expect(Array.from({ length: 12 }, () => read(Uint8Array.of(0)))).toEqual([...Array(10).fill(0), 100, 200])
})

test("the connections that others opened are counted", () => {
  const { simulation, hosts } = network(1)
  simulation.runFor(60_000)
  const inbound = hosts.map(({ connections }) => connections.inboundCount)
  // No node dials a node that does not validate.
  expect([inbound[5], inbound.reduce((sum, count) => sum + count, 0)]).toEqual([0, 15])
})

test("a fault while the message of a peer is handled ends the connection to this peer, and no other", () => {
  const faults: unknown[] = []
  const fault = new TypeError("a fault")
  const { simulation, hosts, events, connections } = network(1, 0, {
    message() {
      throw fault
    },
    fault: (nodeID, error) => void faults.push(nodeID, error),
  })
  const [second] = identities.slice(1) as [PeerIdentity]
  simulation.runUntil(() => connections().every((count) => count === 5), 60_000)
  events.length = 0
  hosts[1]?.send(first.nodeID, {
    case: "getAcceptedFrontier",
    value: { chainId: new Uint8Array(32), requestId: 1, deadline: 10n ** 10n },
  })
  simulation.runFor(100)
  hosts[0]?.work(simulation.now, () => false)
  simulation.runFor(100)
  expect(faults).toEqual([second.nodeID, fault])
  expect(events.map((event) => event.slice(event.indexOf(" ") + 1)).sort()).toEqual([
    `0 - ${second.nodeID}`,
    `1 - ${first.nodeID}`,
  ])
})

test("a fault while a ping is answered, or while one is sent, ends the connection", () => {
  const faults: unknown[] = []
  const closed: string[] = []
  const fault = new TypeError("a fault")
  const peers: Peers = new Peers(peersOptions(first, 9651, seededRandom(1)), {
    ...silentPort,
    write() {
      throw fault
    },
    close(id, { code }) {
      closed.push(`${id} ${code}`)
      peers.closed(id, 0)
    },
    fault: (nodeID, error) => void faults.push(nodeID, error),
  })
  const { nodeID } = identities[1] as PeerIdentity
  const open = () => peers.open(identities[1] as PeerIdentity, { ip: Uint8Array.of(127, 0, 0, 1), port: 1 }, 0)
  peers.received(open(), encodeFrame(encodeMessage({ case: "ping", value: { uptime: 100 } })), 0)
  open()
  peers.tick(25_000)
  expect([faults, closed]).toEqual([
    [nodeID, fault, nodeID, fault],
    ["1 p2p.fault", "2 p2p.fault"],
  ])
})

test("all peers together cause four fifths of a processor beyond the shares of their stake; while they cause more, each has its share", () => {
  const peers = new Peers(peersOptions(first, 9651, seededRandom(1)), silentPort)
  const [large, small, ...strangers] = Array.from({ length: 12 }, (_, i) => peerIdentity(`busy peer ${i}`)) as [
    PeerIdentity,
    PeerIdentity,
    ...PeerIdentity[],
  ]
  const weights = [large, small].map(({ nodeID }, i) => [nodeID, { weight: i === 0 ? 3n : 1n, publicKey: undefined }] as const)
  peers.setValidators(new Map(weights))
  const spent = new Map<PeerIdentity, number>()
  for (const identity of [large, small, ...strangers]) peers.open(identity, { ip: Uint8Array.of(127, 0, 0, 1), port: 1 }, 0)
  /** Lets peers cause as much work as they may, for ten seconds. */
  const cause = (busy: readonly PeerIdentity[], from: number) => {
    spent.clear()
    for (let now = from; now < from + 10_000; now += 10) {
      for (const identity of busy) {
        if (peers.hasToWait(identity.nodeID, now)) continue
        peers.charge(identity.nodeID, 10, now)
        spent.set(identity, (spent.get(identity) ?? 0) + 10)
      }
    }
    return strangers.reduce((sum, identity) => sum + (spent.get(identity) ?? 0), 0)
  }
  // 3.2 s at once, and 8 s. Those with stake cause three quarters and one quarter of ten seconds in any case.
  expect(cause(strangers, 0)).toBe(11_200)
  expect(cause([...strangers, large, small], 10_000)).toBe(5_910)
  expect([spent.get(large), spent.get(small)]).toEqual([8_000, 2_840])
  // Neither does a new peer, which has caused nothing yet, until the work of the others is paid for.
  peers.charge((strangers[0] as PeerIdentity).nodeID, 1_000, 20_000)
  const [late, later] = ["late stranger", "late validator"].map((name) => peerIdentity(name)) as [PeerIdentity, PeerIdentity]
  peers.setValidators(new Map([...weights, [later.nodeID, { weight: 1n, publicKey: undefined }]]))
  for (const identity of [late, later]) peers.open(identity, { ip: Uint8Array.of(127, 0, 0, 1), port: 2 }, 20_000)
  const waits = (now: number) => [late, later].map(({ nodeID }) => peers.hasToWait(nodeID, now))
  expect([waits(20_000), waits(21_500)]).toEqual([
    [true, false],
    [false, false],
  ])
})
