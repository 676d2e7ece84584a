import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { paramsFor } from "../../src/core/networks/index.js"
import { parseUpgradeFile } from "../../src/core/networks/upgradeFile.js"
import type { Rules } from "../../src/core/rules/context.js"
import { idText } from "../../src/core/types/id.js"
import { crypto } from "../../src/platform/backends.js"
import { genesisFor } from "../../src/platform/genesis.js"
import { buildSerac } from "../cli/serac.js"
import { needsJudge } from "../goverify.js"
import { AvalancheGoNetwork, ask, needsHelicon, until } from "./avalanchego.js"
import { autoRenewedValidator, type HeliconNetwork, heliconNetwork } from "./heliconNetwork.js"
import { JoinedSerac, P } from "./joinedSerac.js"

const nowSeconds = () => BigInt(Math.floor(Date.now() / 1000))

describe("among five validators that pass Helicon", needsHelicon, () => {
  let custom: HeliconNetwork
  let network: AvalancheGoNetwork
  let built: ReturnType<typeof buildSerac>
  let own: JoinedSerac
  let rules: Rules

  beforeAll(async () => {
    built = buildSerac()
    custom = heliconNetwork(nowSeconds(), 90n)
    const { networkID, genesisText, upgradeText } = custom
    const params = paramsFor(networkID)
    const { maxStakeDuration } = params.staking
    const { avaxAssetID } = genesisFor({ networkID, configText: genesisText, now: nowSeconds(), maxStakeDuration })
    rules = { crypto, networkID, avaxAssetID, params, upgrades: parseUpgradeFile(upgradeText) }
    network = new AvalancheGoNetwork(custom.flags)
    own = new JoinedSerac({ network, bin: built.bin, flags: custom.flags, rules })
    await network.startValidators()
    await own.start()
  }, 300_000)
  afterAll(async () => {
    await own?.remove()
    await network?.stop()
    custom?.remove()
    built?.remove()
  }, 60_000)

  test("relays a payment before Helicon, and one when it comes into force", async () => {
    await own.untilCommitted(await own.pay(own.url))
    expect(nowSeconds(), "the network took so long to start that Helicon is in force already").toBeLessThan(custom.heliconTime)
    await until(async () => nowSeconds() > custom.heliconTime, 120_000)
    await own.untilCommitted(await own.pay(own.url))
    await own.untilCommitted(await own.pay(own.first.url))
    const { timestamp } = await ask(own.url, P, "platform.getTimestamp")
    expect(Date.parse(timestamp as string) / 1000).toBeGreaterThanOrEqual(Number(custom.heliconTime))
  }, 240_000)

  test("relays the transaction of an auto-renewed validator, and follows the vote on its reward", async () => {
    const tx = autoRenewedValidator(own.unspent, rules.avaxAssetID, 15n)
    own.unspent = { txID: tx.id, outputIndex: 0, amount: own.unspent.amount - 2_000_000_000_000n - 1_000_000n }
    await own.issue(own.url, tx)
    await own.untilCommitted(tx)
    const isValidating = async (url: string) => {
      const { validators } = await ask(url, P, "platform.getCurrentValidators")
      return (validators as { txID: string }[]).some(({ txID }) => txID === idText(tx.id))
    }
    expect(await isValidating(own.url)).toBe(true)
    // It never was online: the validators vote for abort, and it leaves.
    await until(async () => !(await isValidating(own.url)), 60_000)
    await until(async () => !(await isValidating(own.first.url)), 60_000)
  }, 200_000)

  test("catches up after kill -9, and has the same blocks byte for byte", async () => {
    await own.end()
    await own.untilCommittedAt(own.first.url, await own.pay(own.first.url))
    await own.start()
    await own.expectSameBlocks()
    await own.untilCommitted(await own.pay(own.url))
  }, 120_000)

  test("an AvalancheGo node that knows only the node of Serac catches up from it", () => own.expectServesBlocks(), 200_000)

  test("AvalancheGo's VM reaches the same state from the blocks", { ...needsJudge, timeout: 120_000 }, async () => {
    const { networkID, genesisText: genesis, upgradeText: upgrades, ruleFlags: flags } = custom
    await own.expectJudged({ networkID, genesis, upgrades, flags })
  })
})
