import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { BloomFilter } from "../src/core/p2p/bloomFilter.js"
import { encodeFrame } from "../src/core/p2p/frame.js"
import { handshakeOf } from "../src/core/p2p/handshake.js"
import { encodeMessage } from "../src/core/p2p/message.js"
import { Peers } from "../src/core/p2p/peers.js"
import { ipPreimage, signIp } from "../src/core/p2p/signedIp.js"
import { PeerSockets } from "../src/network/peerSockets.js"
import { loadZstd } from "../src/network/zstd.js"
import { bls } from "../src/platform/backends.js"
import { peersOptions } from "../test/fixtures/peersOptions.js"
import { tlsIdentity } from "../test/fixtures/tlsIdentity.js"
import { seededRandom } from "../test/simulator/random.js"

/** The identity with which a client of the other process connects. */
interface Client {
  readonly port: number
  readonly key: string
  readonly cert: string
  /** Handshake and peer list. */
  readonly greeting: Uint8Array
}

const COUNTS = [100, 1_000]

/** Set in the process that is measured: it has done nothing else before, so that its memory grows with the peers alone. */
const FRESH = "SERAC_BENCH_FRESH"

/** Connects 100 and 1,000 peers over TLS from another process, and prints the growth of a new process's memory. */
export async function reportMemory(print: (line: string) => void): Promise<void> {
  if (process.env[FRESH]) return measureMemory(print)
  const args = ["--expose-gc", process.argv[1] as string, "peers: memory"]
  const { stdout } = spawnSync(process.execPath, args, { env: { ...process.env, [FRESH]: "1" }, encoding: "utf8" })
  for (const line of stdout.split("\n")) if (line.startsWith("peers: memory")) print(line)
}

async function measureMemory(print: (line: string) => void): Promise<void> {
  const identity = tlsIdentity("ec")
  let peers: Peers | undefined
  const sockets = new PeerSockets({ ...identity, now: Date.now, onReceived: () => peers?.work(Date.now(), () => false) })
  const port = await sockets.listen("127.0.0.1", 0)
  const now = BigInt(Math.floor(Date.now() / 1000))
  const compression = await loadZstd()
  peers = new Peers(
    { ...peersOptions(identity, port, seededRandom(1), [], now), compression },
    {
      write: (id, frame) => sockets.write(id, frame),
      close: (id, reason) => sockets.close(id, reason),
      dial: () => {},
      connected: () => {},
      disconnected: () => {},
      message: () => {},
      uptimeOf: () => 0,
      fault: (_, error) => {
        throw error
      },
    },
  )
  sockets.attach(peers)
  const clientOf = greeter(now)
  const child = spawn(process.execPath, ["-e", `(${connectAll.toString()})()`], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  })
  const before = memory()
  let connected = 0
  for (const count of COUNTS) {
    for (; connected < count; connected++) child.send(clientOf(port))
    await untilConnected(peers, count, child)
    const { rss, heap } = memory()
    const each = ((rss - before.rss) * 1024) / count
    print(
      `peers: memory of ${count.toLocaleString("en")} connected: ${(rss - before.rss).toFixed(1)} MiB more in all ` +
        `(${(heap - before.heap).toFixed(1)} MiB of it in JavaScript), ${each.toFixed(0)} KiB each`,
    )
  }
  child.kill()
  await sockets.stop()
}

/** Makes clients with certificates of their own. All of them claim one address, whose BLS signature takes long to make. */
function greeter(now: bigint): (port: number) => Client {
  const claimed = { ip: Uint8Array.of(127, 0, 0, 1), port: 9651, timestamp: now }
  const known = BloomFilter.parse(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0), new Uint8Array(0))
  const first = tlsIdentity("ec")
  const { blsSignature } = signIp(claimed, { ...first, bls: bls() })
  const peerList = encodeFrame(encodeMessage({ case: "peerList", value: {} }))
  return (port) => {
    const identity = tlsIdentity("ec")
    const ip = { ...claimed, blsSignature, tlsSignature: identity.signTls(ipPreimage(claimed)) }
    const { introduction } = peersOptions(first, 9651, seededRandom(1), [], now)
    const handshake = encodeFrame(encodeMessage(handshakeOf(introduction, ip, known, now)))
    return { port, ...identity.pem, greeting: Buffer.concat([handshake, peerList]) }
  }
}

function memory(): { readonly rss: number; readonly heap: number } {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: rss / 1024 / 1024, heap: heapUsed / 1024 / 1024 }
}

async function untilConnected(peers: Peers, count: number, child: ChildProcess): Promise<void> {
  while (peers.status().length < count) {
    if (child.exitCode !== null) throw new Error("the process of the peers is gone")
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The whole program of the other process. It is passed as text, so it may not refer to anything outside. */
function connectAll(): void {
  const { connect } = process.getBuiltinModule("node:tls")
  process.on("message", ({ port, key, cert, greeting }: Client) => {
    const socket = connect({ port, host: "127.0.0.1", key, cert, minVersion: "TLSv1.3", rejectUnauthorized: false })
    socket.on("secureConnect", () => socket.write(greeting))
    socket.on("data", () => {})
    socket.on("error", () => process.exit(1))
  })
}
