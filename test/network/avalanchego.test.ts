import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { defaultSnowParameters } from "../../src/core/consensus/snowman/parameters.js"
import { finish } from "../../src/core/lib/work.js"
import { parseIpPort } from "../../src/core/p2p/ipPort.js"
import { nodeIDText, parseNodeID } from "../../src/core/types/id.js"
import { type JoinedNode, startJoinedNode } from "../../src/node/joinedNode.js"
import { createLog } from "../../src/node/log.js"
import { changeOf, firstUnspent, payment, type Unspent } from "../fixtures/longChain.js"
import { AvalancheGoNetwork, type AvalancheGoNode, ask, avalancheGo, until, untilBootstrapped } from "./avalanchego.js"

if (!avalancheGo) console.warn("skipped: SERAC_AVALANCHEGO names no binary of AvalancheGo (its stakers folder beside it)")

const P = "/ext/bc/P"
const heightOf = async (url: string) => Number((await ask(url, P, "platform.getHeight")).height)

describe.skipIf(!avalancheGo)("among five validators of AvalancheGo", () => {
  const network = new AvalancheGoNetwork()
  const dir = mkdtempSync(join(tmpdir(), "serac-joined-"))
  let own: JoinedNode
  let unspent: Unspent = firstUnspent

  const joinNetwork = () =>
    startJoinedNode({
      join: {
        bootstrappers: network.nodes.slice(0, 5).map(({ ip, nodeID }) => ({
          nodeID: parseNodeID(nodeID as string),
          address: parseIpPort(ip),
        })),
        host: "127.0.0.1",
        port: 0,
        publicIp: { ip: Uint8Array.of(127, 0, 0, 1), port: 0 },
        dialsPrivate: true,
        parameters: defaultSnowParameters,
      },
      isEphemeral: false,
      dataDir: dir,
      choice: { networkID: 12345, ruleFlags: { "min-stake-duration": "30s" }, now: BigInt(Math.floor(Date.now() / 1000)) },
      dialect: "avalanchego",
      isPublic: false,
      http: { port: 0 },
      log: createLog({ level: "off", form: "machines", now: Date.now, write: () => {} }),
      wall: Date.now,
    })
  const url = () => own.listening?.url as string
  const pay = async (issue: (tx: ReturnType<typeof payment>) => Promise<unknown>) => {
    const tx = payment(unspent, own.data.rules)
    unspent = changeOf(tx)
    const before = await heightOf(url())
    await issue(tx)
    await until(async () => (await heightOf(url())) > before, 60_000)
  }

  beforeAll(async () => {
    await network.startValidators()
    own = await joinNetwork()
    await untilBootstrapped(url())
  }, 300_000)
  afterAll(async () => {
    await own?.stop()
    await network.stop()
    rmSync(dir, { recursive: true, force: true })
  }, 60_000)

  test("sees and is seen in info.peers", async () => {
    await until(async () => (await ask(url(), "/ext/info", "info.peers")).numPeers === "5", 30_000)
    const nodeIDs = [nodeIDText(own.identity.nodeID)]
    const seen = await ask(network.nodes[0]?.url as string, "/ext/info", "info.peers", { nodeIDs })
    expect(seen).toMatchObject({ numPeers: "1", peers: [{ version: "avalanchego/1.15.0" }] })
  })

  test("follows what the validators decide, and relays transactions that are then committed", async () => {
    const first = network.nodes[0] as AvalancheGoNode
    await pay((tx) =>
      ask(first.url, P, "platform.issueTx", { tx: `0x${Buffer.from(tx.bytes).toString("hex")}`, encoding: "hexnc" }),
    )
    await pay((tx) => finish(own.api.node.issueTx(tx)))
    await pay((tx) => finish(own.api.node.issueTx(tx)))
    expect(await heightOf(url())).toBeGreaterThanOrEqual(3)
  }, 120_000)

  test("says of validators, stake and itself what AvalancheGo says", async () => {
    const first = network.nodes[0] as AvalancheGoNode
    const validatorsOf = async (url: string) => {
      const { validators } = await ask(url, P, "platform.getCurrentValidators")
      return (validators as { nodeID: string; connected: boolean; uptime: string }[]).map(
        ({ nodeID, connected, uptime }) => `${nodeID} ${connected} ${uptime.slice(0, 3)}`,
      )
    }
    // Nobody has been away since the chain began, but for the seconds of the start.
    expect(await validatorsOf(url())).toEqual(await validatorsOf(first.url))
    const { healthy, checks } = (await ask(url(), "/ext/health", "health.health")) as {
      healthy: boolean
      checks: Record<string, { message: unknown }>
    }
    expect([healthy, checks.network?.message, checks.P?.message]).toMatchObject([
      true,
      { connectedPeers: 5 },
      { networking: { percentConnected: 1 } },
    ])
    // All five announce the same. AvalancheGo's own count lacks its own weight, since it is no peer of itself.
    const supportedAt = async (at: string) => {
      const { acps } = await ask(at, "/ext/info", "info.acps")
      const counted = Object.entries(acps as Record<string, { supportWeight: string; abstainWeight: string }>)
      return counted.filter(([, { supportWeight }]) => supportWeight !== "0")
    }
    const ours = await supportedAt(url())
    expect(ours.map(([acp]) => acp)).toEqual((await supportedAt(first.url)).map(([acp]) => acp))
    for (const [, weights] of ours) expect(weights).toMatchObject({ supportWeight: "10000000000000000", abstainWeight: "0" })
    const nodeIDs = [nodeIDText(own.identity.nodeID)]
    await until(async () => {
      const { peers } = await ask(first.url, "/ext/info", "info.peers", { nodeIDs })
      return (peers as { observedUptime: string }[])[0]?.observedUptime === "100"
    }, 60_000)
  }, 90_000)

  test("catches up after a stop, and has the same blocks byte for byte", async () => {
    const first = network.nodes[0] as AvalancheGoNode
    await own.stop()
    const tx = payment(unspent, own.data.rules)
    unspent = changeOf(tx)
    const before = await heightOf(first.url)
    await ask(first.url, P, "platform.issueTx", { tx: `0x${Buffer.from(tx.bytes).toString("hex")}`, encoding: "hexnc" })
    await until(async () => (await heightOf(first.url)) > before, 60_000)
    own = await joinNetwork()
    await untilBootstrapped(url())
    const height = await heightOf(first.url)
    await until(async () => (await heightOf(url())) >= height, 30_000)
    for (let at = 0; at <= height; at++) {
      const params = { height: String(at), encoding: "hex" }
      expect(await ask(url(), P, "platform.getBlockByHeight", params)).toEqual(
        await ask(first.url, P, "platform.getBlockByHeight", params),
      )
    }
  }, 120_000)

  test("an AvalancheGo node that knows only ours catches up from it", async () => {
    const { ip } = (await ask(url(), "/ext/info", "info.getNodeIP")) as { ip: string }
    const partial = await network.startPartialSync(ip, nodeIDText(own.identity.nodeID))
    await untilBootstrapped(partial.url)
    expect(await heightOf(partial.url)).toBe(await heightOf(url()))
  }, 200_000)
})
