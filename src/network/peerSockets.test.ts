import { generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { once } from "node:events"
import { connect as connectTcp } from "node:net"
import { connect as connectTls } from "node:tls"
import { afterEach, expect, onTestFinished, test } from "vitest"
import { peersOptions } from "../../test/fixtures/peersOptions.js"
import { tlsIdentity } from "../../test/fixtures/tlsIdentity.js"
import { seededRandom } from "../../test/simulator/random.js"
import type { ChainMessage } from "../core/p2p/message.js"
import { Peers } from "../core/p2p/peers.js"
import type { NodeID } from "../core/types/id.js"
import { PeerSockets, type PeerSocketsOptions } from "./peerSockets.js"
import { defaultSocketSettings } from "./socketSettings.js"
import { loadZstd } from "./zstd.js"

const running: PeerSockets[] = []
afterEach(async () => {
  for (const sockets of running.splice(0)) await sockets.stop()
})

/** A node with real sockets on loopback; `seen` lists its events, and `until` waits for one. */
async function node(name: "rsa" | "ec", bootstrapper?: { nodeID: NodeID; port: number }, more: Partial<PeerSocketsOptions> = {}) {
  const identity = tlsIdentity(name)
  const seen: string[] = []
  const waiting: { what: string; resolve: () => void }[] = []
  const saw = (what: string) => {
    seen.push(what)
    for (const each of waiting) if (each.what === what) each.resolve()
  }
  const until = (what: string) =>
    seen.includes(what) ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ what, resolve }))
  let onReceived = () => {}
  const sockets = new PeerSockets({
    ...identity,
    ...more,
    now: Date.now,
    onReceived: () => onReceived(),
    onClosed: (_nodeID, reason) => saw(reason),
  })
  running.push(sockets)
  const port = await sockets.listen("127.0.0.1", 0)
  const bootstrappers = bootstrapper
    ? [{ nodeID: bootstrapper.nodeID, address: { ip: Uint8Array.of(127, 0, 0, 1), port: bootstrapper.port } }]
    : []
  const now = BigInt(Math.floor(Date.now() / 1000))
  const options = { ...peersOptions(identity, port, seededRandom(1), bootstrappers, now), compression: await loadZstd() }
  const messages: ChainMessage[] = []
  const peers: Peers = new Peers(options, {
    write: (id, frame) => sockets.write(id, frame),
    close: (id, reason) => sockets.close(id, reason),
    dial: (nodeID, address) => sockets.dial(nodeID, address),
    connected: () => saw("connected"),
    disconnected: () => saw("disconnected"),
    message(_nodeID, message) {
      messages.push(message)
      saw(message.case)
    },
    uptimeOf: () => 0,
    fault: (_, error) => {
      throw error
    },
  })
  sockets.attach(peers)
  onReceived = () => void peers.work(Date.now(), () => false)
  return { identity, sockets, peers, port, messages, until }
}

test("two nodes shake hands over TLS with RSA and P-256 certificates and exchange messages of 2 MiB", async () => {
  const one = await node("rsa")
  const two = await node("ec", { nodeID: one.identity.nodeID, port: one.port })
  two.peers.tick(Date.now())
  await Promise.all([one.until("connected"), two.until("connected")])
  const containers = Array.from({ length: 20 }, (_, i) => Uint8Array.from({ length: 100_000 }, (_, j) => (i * j) >> 5))
  one.peers.send(two.identity.nodeID, { case: "ancestors", value: { chainId: new Uint8Array(32), requestId: 3, containers } })
  await two.until("ancestors")
  expect(two.messages).toMatchObject([{ case: "ancestors", value: { requestId: 3 } }])
  const [ancestors] = two.messages as [Extract<ChainMessage, { case: "ancestors" }>]
  expect(ancestors.value.containers.map((bytes, i) => Buffer.compare(bytes, containers[i]!))).toEqual(Array(20).fill(0))
  await one.sockets.stop()
  await two.until("disconnected")
})

/** Connects with TLS settings of a stranger; resolves when the other side ends the connection. */
function strangerEnds(port: number, options: object): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options })
    socket.on("error", () => resolve("ended"))
    socket.on("close", () => resolve("ended"))
    socket.resume()
  })
}

test("no certificate, a key that no node may have, TLS 1.2 and plain text end the connection, and the node continues", async () => {
  const one = await node("rsa")
  const p384 = tlsIdentity("ec", generateKeyPairSync("ec", { namedCurve: "P-384" }))
  const credentials = p384.pem
  expect(await strangerEnds(one.port, {})).toBe("ended")
  expect(await strangerEnds(one.port, credentials)).toBe("ended")
  expect(await strangerEnds(one.port, { ...tlsIdentity("ec").pem, maxVersion: "TLSv1.2" })).toBe("ended")
  const plain = await new Promise((resolve) => {
    const socket = connectTcp(one.port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\n\r\n"))
    socket.on("error", () => resolve("ended"))
    socket.on("close", () => resolve("ended"))
    socket.resume()
  })
  expect(plain).toBe("ended")
  const two = await node("ec", { nodeID: one.identity.nodeID, port: one.port })
  two.peers.tick(Date.now())
  await two.until("connected")
})

test("a dial to a closed port is reported, and tried again later", async () => {
  const one = await node("rsa")
  const { port } = one
  await one.sockets.stop()
  const two = await node("ec", { nodeID: one.identity.nodeID, port })
  const failed = new Promise<void>((resolve) => {
    const { dialFailed } = two.peers
    two.peers.dialFailed = (nodeID, now) => {
      dialFailed.call(two.peers, nodeID, now)
      resolve()
    }
  })
  two.peers.tick(Date.now())
  await failed
  expect(two.peers.status()).toEqual([])
})

test("a signature of the TLS key is the one that peers check", () => {
  const { key, signTls, parsedCertificate } = tlsIdentity("rsa")
  expect(signTls(Uint8Array.of(1))).toEqual(new Uint8Array(sign("sha256", Uint8Array.of(1), key)))
  expect(parsedCertificate.verify(Uint8Array.of(1), signTls(Uint8Array.of(1)))).toBe(true)
})

test("a node is dialed again where another one answered at its address", async () => {
  const one = await node("rsa")
  const two = await node("ec", { nodeID: "ee".repeat(20) as NodeID, port: one.port })
  two.peers.tick(Date.now())
  await two.until("connected")
  two.peers.tick(Date.now() + 3_000)
  await two.until("p2p.already_connected")
})

test("connections beyond the rate wait for their turn, and are then served", async () => {
  const one = await node("rsa", undefined, { settings: { ...defaultSocketSettings, connectionsPerSecond: 20 } })
  const others = await Promise.all(Array.from({ length: 25 }, () => node("ec", { nodeID: one.identity.nodeID, port: one.port })))
  for (const { peers } of others) peers.tick(Date.now())
  await Promise.all(others.map(({ until }) => until("connected")))
  expect(one.peers.connections.inboundCount).toBe(25)
})

test("a message to a peer that reads nothing is dropped when too many bytes wait", async () => {
  const one = await node("rsa", undefined, {
    settings: { ...defaultSocketSettings, outbound: { ...defaultSocketSettings.outbound, sharedPerPeer: 100_000 } },
  })
  const two = await node("ec", { nodeID: one.identity.nodeID, port: one.port })
  two.peers.tick(Date.now())
  await one.until("connected")
  const send = () =>
    one.peers.send(two.identity.nodeID, {
      case: "put",
      value: { chainId: new Uint8Array(32), requestId: 1, container: randomBytes(60_000) },
    })
  // Nothing is written before this turn of the event loop ends.
  expect([send(), send(), send()]).toEqual([true, true, false])
})

test("the secrets of a connection are handed out on both sides where that is asked for", async () => {
  const lines: string[][] = [[], []]
  const keep = (i: number) => ({ onSecrets: (line: Uint8Array) => void lines[i]?.push(Buffer.from(line).toString()) })
  const one = await node("rsa", undefined, keep(0))
  const two = await node("ec", { nodeID: one.identity.nodeID, port: one.port }, keep(1))
  two.peers.tick(Date.now())
  await Promise.all([one.until("connected"), two.until("connected")])
  const labels = lines.map((each) =>
    each.map((line) => line.split(" ")[0]).filter((label) => label?.endsWith("TRAFFIC_SECRET_0")),
  )
  for (const each of labels) expect(each.toSorted()).toEqual(["CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0"])
  expect(lines[0]?.toSorted()).toEqual(lines[1]?.toSorted())
})

test("a connection on which nothing comes, or TLS never ends, is closed when its time is over", async () => {
  const one = await node("rsa", undefined, { settings: { ...defaultSocketSettings, tlsTimeoutMs: 50 } })
  const ends = (firstBytes: Uint8Array) =>
    new Promise((resolve) => {
      const socket = connectTcp(one.port, "127.0.0.1", () => firstBytes.length > 0 && socket.write(firstBytes))
      socket.on("error", () => {})
      socket.on("close", () => resolve("ended"))
      socket.resume()
    })
  // The second begins a TLS record of 512 bytes that never comes.
  expect(await Promise.all([ends(new Uint8Array(0)), ends(Uint8Array.of(22, 3, 1, 2, 0))])).toEqual(["ended", "ended"])
})

test("a peer that reads nothing for 30 seconds is disconnected", async () => {
  const one = await node("rsa")
  const { pem } = tlsIdentity("ec")
  const stranger = connectTls({ ...pem, host: "127.0.0.1", port: one.port, rejectUnauthorized: false, minVersion: "TLSv1.3" })
  onTestFinished(() => void stranger.destroy())
  stranger.on("error", () => {})
  // The handshake of the node shows that it has taken the connection.
  await once(stranger, "data")
  stranger.pause()
  // More than the buffers of the system hold, so that some of it waits here.
  while (one.sockets.write(1, new Uint8Array(1_000_000))) await new Promise(setImmediate)
  one.sockets.tick(Date.now() + 29_000)
  one.sockets.tick(Date.now() + 31_000)
  await one.until("write timeout")
})

test("a fault while a connection begins ends this connection, and the node takes the next one", async () => {
  const faults: unknown[] = []
  const one = await node("rsa", undefined, { onFault: (error) => void faults.push(error) })
  const fault = new TypeError("a fault")
  one.peers.open = () => {
    throw fault
  }
  expect(await strangerEnds(one.port, tlsIdentity("ec").pem)).toBe("ended")
  expect(faults).toEqual([fault])
  one.peers.open = Peers.prototype.open
  const two = await node("ec", { nodeID: one.identity.nodeID, port: one.port })
  two.peers.tick(Date.now())
  await two.until("connected")
})
