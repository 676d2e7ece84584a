import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Rules } from "../../src/core/rules/context.js"
import type { Tx } from "../../src/core/txs/tx.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { chainDir } from "../../src/node/chainData.js"
import { nodeTables, tablesBesideChain } from "../../src/node/nodeTables.js"
import { openLmdbStore } from "../../src/store/openLmdbStore.js"
import { buildSerac } from "../cli/serac.js"
import { changeOf, firstUnspent, localNetwork, payment, type Unspent } from "../fixtures/longChain.js"
import { Random, seed } from "../fuzz/random.js"
import { judge } from "../judge.js"
import {
  AvalancheGoNetwork,
  type AvalancheGoNode,
  ask,
  avalancheGo,
  localFlags,
  until,
  untilBootstrapped,
} from "./avalanchego.js"
import { type SeracProcess, startSerac } from "./seracProcess.js"

if (!avalancheGo) console.warn("skipped: SERAC_AVALANCHEGO names no binary of AvalancheGo (its stakers folder beside it)")

const P = "/ext/bc/P"
/** Number of kills of the Serac node while blocks are decided. */
const KILLS = 5
const heightOf = async (url: string) => Number((await ask(url, P, "platform.getHeight")).height)

describe.skipIf(!avalancheGo)("among five validators of AvalancheGo", () => {
  const network = new AvalancheGoNetwork()
  const dir = mkdtempSync(join(tmpdir(), "serac-joined-"))
  const rules: Rules = localNetwork().rules
  let built: ReturnType<typeof buildSerac>
  let own: SeracProcess
  let unspent: Unspent = firstUnspent

  const joinNetwork = () => {
    const validators = network.nodes.slice(0, 5)
    return startSerac(built.bin, [
      ...localFlags,
      `--data-dir=${dir}`,
      "--staking-port=0",
      "--api-dialect=avalanchego",
      `--bootstrap-ips=${validators.map(({ ip }) => ip).join(",")}`,
      `--bootstrap-ids=${validators.map(({ nodeID }) => nodeID).join(",")}`,
    ])
  }
  const first = () => network.nodes[0] as AvalancheGoNode
  const isCommitted = async (at: string, tx: Tx) =>
    (await ask(at, P, "platform.getTxStatus", { txID: idText(tx.id) })).status === "Committed"
  /** Issues the next payment at a node. */
  const pay = async (at: string) => {
    const tx = payment(unspent, rules)
    unspent = changeOf(tx)
    await ask(at, P, "platform.issueTx", { tx: toHexText(tx.bytes) })
    return tx
  }
  const untilCommitted = async (tx: Tx) => {
    await until(() => isCommitted(own.url, tx), 60_000)
    await until(() => isCommitted(first().url, tx), 60_000)
  }
  /** Waits until our node is as high as the first validator, and compares all blocks. */
  const expectSameBlocks = async () => {
    const height = await heightOf(first().url)
    await until(async () => (await heightOf(own.url)) >= height, 30_000)
    for (let at = 0; at <= height; at++) {
      const params = { height: String(at), encoding: "hex" }
      expect(await ask(own.url, P, "platform.getBlockByHeight", params)).toEqual(
        await ask(first().url, P, "platform.getBlockByHeight", params),
      )
    }
  }

  beforeAll(async () => {
    built = buildSerac()
    await network.startValidators()
    own = await joinNetwork()
    await untilBootstrapped(own.url)
  }, 300_000)
  afterAll(async () => {
    await own?.end()
    await network.stop()
    built?.remove()
    rmSync(dir, { recursive: true, force: true })
  }, 60_000)

  test("sees and is seen in info.peers", async () => {
    await until(async () => (await ask(own.url, "/ext/info", "info.peers")).numPeers === "5", 30_000)
    const nodeIDs = [own.nodeID]
    const seen = await ask(first().url, "/ext/info", "info.peers", { nodeIDs })
    expect(seen).toMatchObject({ numPeers: "1", peers: [{ version: "avalanchego/1.15.0" }] })
  })

  test("follows the decisions of the validators, and relays transactions that are then committed", async () => {
    await untilCommitted(await pay(first().url))
    await untilCommitted(await pay(own.url))
    await untilCommitted(await pay(own.url))
    expect(await heightOf(own.url)).toBeGreaterThanOrEqual(3)
  }, 120_000)

  test("answers about validators, stake and itself as AvalancheGo does", async () => {
    const validatorsOf = async (url: string) => {
      const { validators } = await ask(url, P, "platform.getCurrentValidators")
      return (validators as { nodeID: string; connected: boolean; uptime: string }[]).map(
        ({ nodeID, connected, uptime }) => `${nodeID} ${connected} ${uptime.slice(0, 3)}`,
      )
    }
    // All validators were online since the chain began, except for the seconds of the start.
    expect(await validatorsOf(own.url)).toEqual(await validatorsOf(first().url))
    const { healthy, checks } = (await ask(own.url, "/ext/health", "health.health")) as {
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
    const ours = await supportedAt(own.url)
    expect(ours.map(([acp]) => acp)).toEqual((await supportedAt(first().url)).map(([acp]) => acp))
    for (const [, weights] of ours) expect(weights).toMatchObject({ supportWeight: "10000000000000000", abstainWeight: "0" })
    const nodeIDs = [own.nodeID]
    await until(async () => {
      const { peers } = await ask(first().url, "/ext/info", "info.peers", { nodeIDs })
      return (peers as { observedUptime: string }[])[0]?.observedUptime === "100"
    }, 60_000)
  }, 90_000)

  test("catches up after kill -9 while idle, and has the same blocks byte for byte", async () => {
    await own.end()
    const tx = await pay(first().url)
    await until(() => isCommitted(first().url, tx), 60_000)
    own = await joinNetwork()
    await untilBootstrapped(own.url)
    await expectSameBlocks()
    await untilCommitted(await pay(own.url))
  }, 120_000)

  test("catches up after kill -9 at random moments while blocks are decided", async () => {
    const random = new Random(seed("moments of killing a node among AvalancheGo's"))
    for (let kill = 0; kill < KILLS; kill++) {
      const tx = await pay(first().url)
      // A payment is decided within some two seconds.
      await setTimeout(random.below(2_000))
      await own.end()
      await until(() => isCommitted(first().url, tx), 60_000)
      own = await joinNetwork()
      await untilBootstrapped(own.url)
      await untilCommitted(tx)
    }
    await expectSameBlocks()
  }, 300_000)

  test("an AvalancheGo node that knows only the node of Serac catches up from it", async () => {
    const { ip } = (await ask(own.url, "/ext/info", "info.getNodeIP")) as { ip: string }
    const partial = await network.startPartialSync(ip, own.nodeID)
    await untilBootstrapped(partial.url)
    expect(await heightOf(partial.url)).toBe(await heightOf(own.url))
  }, 200_000)

  test("AvalancheGo's VM reaches the same state from the blocks", async () => {
    await own.end("SIGTERM")
    const store = openLmdbStore({ dir: chainDir(dir), tables: nodeTables, tablesBesideChain })
    judge(store, { networkID: rules.networkID, flags: { "min-stake-duration": "30s" } })
    await store.close()
  }, 120_000)
})
