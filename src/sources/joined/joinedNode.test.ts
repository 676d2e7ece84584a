import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { nodeClient } from "../../client/client.js"
import { defaultSnowParameters } from "../../core/consensus/snowman/parameters.js"
import { FUJI_ID } from "../../core/networks/names.js"
import type { BootstrapNode } from "../../core/p2p/addressBook.js"
import { parseIpPort } from "../../core/p2p/ipPort.js"
import type { NodeID } from "../../core/types/id.js"
import { createLog } from "../../node/log.js"
import { startJoinedNode } from "./joinedNode.js"
import { defaultNetworkSettings, type NetworkSettings } from "./networkSettings.js"

const log = createLog({ level: "off", form: "machines", now: Date.now, write: () => {} })

interface Choices {
  readonly dataDir?: string
  readonly servesWhileSyncing?: boolean
  readonly network?: Partial<NetworkSettings>
}

/** A node of Fuji on loopback, with the genesis of the package. */
async function fujiNode(bootstrapper: BootstrapNode, { dataDir, servesWhileSyncing = false, network }: Choices = {}) {
  const node = await startJoinedNode({
    join: {
      bootstrappers: [bootstrapper],
      host: "127.0.0.1",
      port: 0,
      publicIp: { ip: Uint8Array.of(127, 0, 0, 1), port: 0 },
      dialsPrivate: true,
      servesWhileSyncing,
      parameters: defaultSnowParameters,
      network: { ...defaultNetworkSettings, ...network },
    },
    dataDir,
    choice: { networkID: FUJI_ID, now: BigInt(Math.floor(Date.now() / 1000)) },
    dialect: "contract",
    isPublic: false,
    http: { port: 0 },
    log,
    wall: () => Date.now(),
  })
  onTestFinished(() => node.stop())
  const call = nodeClient(async (path, body) =>
    Buffer.concat((await node.api.handle(path, Buffer.from(body)))?.body ?? []).toString(),
  )
  return { ...node, call }
}

const nobody: BootstrapNode = { nodeID: "aa".repeat(20) as NodeID, address: parseIpPort("127.0.0.1:1") }

test("two nodes of Fuji with the package's genesis find each other, and the second catches up with the first", async () => {
  const first = await fujiNode(nobody)
  const { ip } = await first.call("info.getNodeIP")
  const dataDir = mkdtempSync(join(tmpdir(), "serac-joined-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const bootstrapper = { nodeID: first.identity.nodeID, address: parseIpPort(ip) }
  const second = await fujiNode(bootstrapper, { dataDir })
  await vi.waitFor(
    async () => expect(await second.call("info.isBootstrapped", { chain: "P" })).toEqual({ isBootstrapped: true }),
    20_000,
  )
  expect((await second.call("info.peers")).numPeers).toBe(1)
  expect(await second.call("platform.getHeight")).toEqual({ height: 0n })
  const { checks, healthy } = await second.call("health.health")
  const words = Object.entries(checks).map(([name, { error }]) => `${name}: ${error ?? "well"}`)
  expect([healthy, words]).toEqual([
    false,
    [
      "bootstrapped: well",
      "database: well",
      "diskspace: well",
      "history: well",
      "network: well",
      "router: well",
      "P: networking: not connected to enough stake: connected to 0.000000%; required at least 80.000000%",
      "continues: well",
      "behind: well",
      "clock: well",
      "uptime: well",
      "futureupgrade: well",
    ],
  ])
  const metrics = second.api.metrics.print().split("\n")
  expect(metrics).toEqual(
    expect.arrayContaining([
      "serac_peers 1",
      "serac_peer_validators 0",
      "serac_connected_stake_ratio 0",
      'serac_peer_messages_received_total{kind="handshake"} 1',
      'serac_peer_messages_sent_total{kind="getAcceptedFrontier"} 1',
      "serac_bootstrapped 1",
      "serac_sync_height 0",
    ]),
  )
  const { nodeID } = second.identity
  await second.stop()
  expect((await fujiNode(bootstrapper, { dataDir })).identity.nodeID).toBe(nodeID)
})

test("while it catches up, calls about the P-Chain are answered with 503, or with --serve-while-syncing from the current state", async () => {
  const height = { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight","params":{}}' }
  const headers = { "content-type": "application/json" }
  const outcomes = []
  for (const servesWhileSyncing of [false, true]) {
    const { url } = (await fujiNode(nobody, { servesWhileSyncing })).listening!
    const statusOf = async (path: string, init?: RequestInit) => (await fetch(url + path, { ...init, headers })).status
    outcomes.push([await statusOf("/ext/bc/P", height), await statusOf("/ext/health/readiness")])
  }
  expect(outcomes).toEqual([
    [503, 503],
    [200, 503],
  ])
})

test("a node announces the proposals that it supports or objects to, and writes the secrets of connections where that is asked for", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "serac-secrets-"))
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }))
  const secretsFile = join(scratch, "secrets.log")
  const first = await fujiNode(nobody)
  const { ip } = await first.call("info.getNodeIP")
  const network = { acps: { supported: [247], objected: [224] }, secretsFile }
  await fujiNode({ nodeID: first.identity.nodeID, address: parseIpPort(ip) }, { network })
  await vi.waitFor(async () => expect((await first.call("info.peers")).numPeers).toBe(1), 20_000)
  const [peer] = (await first.call("info.peers")).peers
  expect([peer?.supportedACPs, peer?.objectedACPs].map((acps) => acps?.map(Number).toSorted())).toEqual([
    [194, 236, 247, 267, 273, 283, 285],
    [224],
  ])
  expect(readFileSync(secretsFile, "utf8")).toMatch(/^CLIENT_TRAFFIC_SECRET_0 [0-9a-f]{64} [0-9a-f]{64,96}$/m)
  expect(statSync(secretsFile).mode & 0o777).toBe(0o600)
})
