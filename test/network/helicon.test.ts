import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { genesisFor } from "../../src/core/genesis/forNetwork.js"
import { paramsFor } from "../../src/core/networks/index.js"
import { parseUpgradeFile } from "../../src/core/networks/upgradeFile.js"
import type { Rules } from "../../src/core/rules/context.js"
import type { Tx } from "../../src/core/txs/tx.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { chainDir } from "../../src/node/chainData.js"
import { nodeTables, tablesBesideChain } from "../../src/node/nodeTables.js"
import { openLmdbStore } from "../../src/store/openLmdbStore.js"
import { buildSerac } from "../cli/serac.js"
import { changeOf, firstUnspent, payment, type Unspent } from "../fixtures/longChain.js"
import { judge } from "../judge.js"
import { AvalancheGoNetwork, type AvalancheGoNode, ask, knowsHelicon, until, untilBootstrapped } from "./avalanchego.js"
import { autoRenewedValidator, type HeliconNetwork, heliconNetwork } from "./heliconNetwork.js"
import { type SeracProcess, startSerac } from "./seracProcess.js"

if (!knowsHelicon) console.warn("skipped: SERAC_AVALANCHEGO names no AvalancheGo v1.15.0, which alone knows Helicon")

const P = "/ext/bc/P"
const heightOf = async (url: string) => Number((await ask(url, P, "platform.getHeight")).height)
const nowSeconds = () => BigInt(Math.floor(Date.now() / 1000))

describe.skipIf(!knowsHelicon)("among five validators that pass Helicon", () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-helicon-node-"))
  let custom: HeliconNetwork
  let network: AvalancheGoNetwork
  let built: ReturnType<typeof buildSerac>
  let own: SeracProcess
  let rules: Rules
  let unspent: Unspent = firstUnspent

  const joinNetwork = () => {
    const validators = network.nodes.slice(0, 5)
    return startSerac(built.bin, [
      ...custom.flags,
      `--data-dir=${dir}`,
      "--staking-port=0",
      "--api-dialect=avalanchego",
      `--bootstrap-ips=${validators.map(({ ip }) => ip).join(",")}`,
      `--bootstrap-ids=${validators.map(({ nodeID }) => nodeID).join(",")}`,
    ])
  }
  const first = () => network.nodes[0] as AvalancheGoNode
  const issue = (url: string, tx: Tx) => ask(url, P, "platform.issueTx", { tx: toHexText(tx.bytes) })
  const isCommitted = async (url: string, tx: Tx) =>
    (await ask(url, P, "platform.getTxStatus", { txID: idText(tx.id) })).status === "Committed"
  const untilCommitted = async (tx: Tx) => {
    await until(() => isCommitted(own.url, tx), 60_000)
    await until(() => isCommitted(first().url, tx), 60_000)
  }
  const pay = async (url: string) => {
    const tx = payment(unspent, rules)
    unspent = changeOf(tx)
    await issue(url, tx)
    return tx
  }

  beforeAll(async () => {
    built = buildSerac()
    custom = heliconNetwork(nowSeconds(), 90n)
    const { networkID, genesisText, upgradeText } = custom
    const params = paramsFor(networkID)
    const { maxStakeDuration } = params.staking
    const { avaxAssetID } = genesisFor({ networkID, configText: genesisText, now: nowSeconds(), maxStakeDuration })
    rules = { networkID, avaxAssetID, params, upgrades: parseUpgradeFile(upgradeText) }
    network = new AvalancheGoNetwork(custom.flags)
    await network.startValidators()
    own = await joinNetwork()
    await untilBootstrapped(own.url)
  }, 300_000)
  afterAll(async () => {
    await own?.end()
    await network?.stop()
    custom?.remove()
    built?.remove()
    rmSync(dir, { recursive: true, force: true })
  }, 60_000)

  test("relays a payment before Helicon, and one when it comes into force", async () => {
    await untilCommitted(await pay(own.url))
    expect(nowSeconds(), "the network took so long to start that Helicon is in force already").toBeLessThan(custom.heliconTime)
    await until(async () => nowSeconds() > custom.heliconTime, 120_000)
    await untilCommitted(await pay(own.url))
    await untilCommitted(await pay(first().url))
    const { timestamp } = await ask(own.url, P, "platform.getTimestamp")
    expect(Date.parse(timestamp as string) / 1000).toBeGreaterThanOrEqual(Number(custom.heliconTime))
  }, 240_000)

  test("relays the transaction of an auto-renewed validator, and follows the vote on its reward", async () => {
    const tx = autoRenewedValidator(unspent, rules.avaxAssetID, 15n)
    unspent = { txID: tx.id, outputIndex: 0, amount: unspent.amount - 2_000_000_000_000n - 1_000_000n }
    await issue(own.url, tx)
    await untilCommitted(tx)
    const isValidating = async (url: string) => {
      const { validators } = await ask(url, P, "platform.getCurrentValidators")
      return (validators as { txID: string }[]).some(({ txID }) => txID === idText(tx.id))
    }
    expect(await isValidating(own.url)).toBe(true)
    // It never was online: the validators vote for abort, and it leaves.
    await until(async () => !(await isValidating(own.url)), 60_000)
    await until(async () => !(await isValidating(first().url)), 60_000)
  }, 200_000)

  test("catches up after kill -9, and has the same blocks byte for byte", async () => {
    await own.end()
    const tx = await pay(first().url)
    await until(() => isCommitted(first().url, tx), 60_000)
    own = await joinNetwork()
    await untilBootstrapped(own.url)
    const height = await heightOf(first().url)
    await until(async () => (await heightOf(own.url)) >= height, 30_000)
    for (let at = 0; at <= height; at++) {
      const params = { height: String(at), encoding: "hex" }
      expect(await ask(own.url, P, "platform.getBlockByHeight", params)).toEqual(
        await ask(first().url, P, "platform.getBlockByHeight", params),
      )
    }
    await untilCommitted(await pay(own.url))
  }, 120_000)

  test("an AvalancheGo node that knows only the node of Serac catches up from it", async () => {
    const { ip } = (await ask(own.url, "/ext/info", "info.getNodeIP")) as { ip: string }
    const partial = await network.startPartialSync(ip, own.nodeID)
    await untilBootstrapped(partial.url)
    expect(await heightOf(partial.url)).toBe(await heightOf(own.url))
  }, 200_000)

  test("AvalancheGo's VM reaches the same state from the blocks", async () => {
    await own.end("SIGTERM")
    const store = openLmdbStore({ dir: chainDir(dir), tables: nodeTables, tablesBesideChain })
    const { networkID, genesisText: genesis, upgradeText: upgrades, ruleFlags: flags } = custom
    judge(store, { networkID, genesis, upgrades, flags })
    await store.close()
  }, 120_000)
})
