import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { buildSerac } from "../cli/serac.js"
import { localNetwork } from "../fixtures/longChain.js"
import { Random, seed } from "../fuzz/random.js"
import { needsJudge } from "../goverify.js"
import { AvalancheGoNetwork, ask, localFlags, needsAvalancheGo, until } from "./avalanchego.js"
import { heightAt, JoinedSerac, P } from "./joinedSerac.js"

/** Number of kills of the Serac node while blocks are decided. */
const KILLS = 5

describe("among five validators of AvalancheGo", needsAvalancheGo, () => {
  const network = new AvalancheGoNetwork()
  const { rules } = localNetwork()
  let built: ReturnType<typeof buildSerac>
  let own: JoinedSerac

  beforeAll(async () => {
    built = buildSerac()
    own = new JoinedSerac({ network, bin: built.bin, flags: localFlags, rules })
    await network.startValidators()
    await own.start()
  }, 300_000)
  afterAll(async () => {
    await own?.remove()
    await network.stop()
    built?.remove()
  }, 60_000)

  test("sees and is seen in info.peers", async () => {
    await until(async () => (await ask(own.url, "/ext/info", "info.peers")).numPeers === "5", 30_000)
    const nodeIDs = [own.nodeID]
    const seen = await ask(own.first.url, "/ext/info", "info.peers", { nodeIDs })
    expect(seen).toMatchObject({ numPeers: "1", peers: [{ version: "avalanchego/1.15.0" }] })
  })

  test("follows the decisions of the validators, and relays transactions that are then committed", async () => {
    await own.untilCommitted(await own.pay(own.first.url))
    await own.untilCommitted(await own.pay(own.url))
    await own.untilCommitted(await own.pay(own.url))
    expect(await heightAt(own.url)).toBeGreaterThanOrEqual(3)
  }, 120_000)

  test("answers about validators, stake and itself as AvalancheGo does", async () => {
    const validatorsOf = async (url: string) => {
      const { validators } = await ask(url, P, "platform.getCurrentValidators")
      return (validators as { nodeID: string; connected: boolean; uptime: string }[]).map(
        ({ nodeID, connected, uptime }) => `${nodeID} ${connected} ${uptime.slice(0, 3)}`,
      )
    }
    // All validators were online since the chain began, except for the seconds of the start.
    expect(await validatorsOf(own.url)).toEqual(await validatorsOf(own.first.url))
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
    expect(ours.map(([acp]) => acp)).toEqual((await supportedAt(own.first.url)).map(([acp]) => acp))
    for (const [, weights] of ours) expect(weights).toMatchObject({ supportWeight: "10000000000000000", abstainWeight: "0" })
    const nodeIDs = [own.nodeID]
    await until(async () => {
      const { peers } = await ask(own.first.url, "/ext/info", "info.peers", { nodeIDs })
      return (peers as { observedUptime: string }[])[0]?.observedUptime === "100"
    }, 60_000)
  }, 90_000)

  test("catches up after kill -9 while idle, and has the same blocks byte for byte", async () => {
    await own.end()
    await own.untilCommittedAt(own.first.url, await own.pay(own.first.url))
    await own.start()
    await own.expectSameBlocks()
    await own.untilCommitted(await own.pay(own.url))
  }, 120_000)

  test("catches up after kill -9 at random moments while blocks are decided", async () => {
    const random = new Random(seed("moments of killing a node among AvalancheGo's"))
    for (let kill = 0; kill < KILLS; kill++) {
      const tx = await own.pay(own.first.url)
      // A payment is decided within some two seconds.
      await setTimeout(random.below(2_000))
      await own.end()
      await own.untilCommittedAt(own.first.url, tx)
      await own.start()
      await own.untilCommitted(tx)
    }
    await own.expectSameBlocks()
  }, 300_000)

  test("an AvalancheGo node that knows only the node of Serac catches up from it", () => own.expectServesBlocks(), 200_000)

  test("AvalancheGo's VM reaches the same state from the blocks", { ...needsJudge, timeout: 120_000 }, async () => {
    await own.expectJudged({ networkID: rules.networkID, flags: { "min-stake-duration": "30s" } })
  })
})
