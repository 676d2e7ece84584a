import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { outerBlockAt } from "../../src/core/consensus/proposer/wrapperStore.js"
import { paramsFor, upgradesFor } from "../../src/core/networks/index.js"
import { LOCAL_ID } from "../../src/core/networks/names.js"
import { parseUpgradeFile } from "../../src/core/networks/upgradeFile.js"
import type { Rules } from "../../src/core/rules/context.js"
import { EMPTY_NODE_ID, idText, nodeIDText } from "../../src/core/types/id.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { chainDir } from "../../src/datadir/places.js"
import { crypto } from "../../src/platform/backends.js"
import { genesisFor } from "../../src/platform/genesis.js"
import { openLmdbStore } from "../../src/store/lmdb/openLmdbStore.js"
import { buildSerac } from "../cli/serac.js"
import { needsJudge } from "../goverify.js"
import { expectJudged } from "../judge.js"
import { ask, localFlags, needsAvalancheGo, needsHelicon, until } from "./avalanchego.js"
import { changeOfDelegation, delegation } from "./delegation.js"
import { autoRenewedValidator, type HeliconNetwork, heliconNetwork } from "./heliconNetwork.js"
import { MixedNetwork } from "./mixedNetwork.js"

const nowSeconds = () => BigInt(Math.floor(Date.now() / 1000))
/** A little more than the shortest stake that the flags allow. */
const STAKE_SECONDS = 36n
const ours = ["NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu", "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"]

/** The rules of the network that the nodes run. */
function rulesOf(custom: HeliconNetwork | undefined): Rules {
  const networkID = custom?.networkID ?? LOCAL_ID
  const params = paramsFor(networkID)
  const { maxStakeDuration } = params.staking
  const configText = custom?.genesisText
  const genesis = genesisFor({ networkID, now: nowSeconds(), maxStakeDuration, ...(configText && { configText }) })
  const upgrades = custom ? parseUpgradeFile(custom.upgradeText) : upgradesFor(networkID)
  return { crypto, networkID, avaxAssetID: genesis.avaxAssetID, params, upgrades }
}

/** The proposers of the blocks that a Serac node has accepted, by height from 1 on. */
async function proposersIn(dataDir: string, check: (store: ReturnType<typeof openLmdbStore>) => void): Promise<string[]> {
  const store = openLmdbStore({ dir: chainDir(dataDir), tables: nodeTables, tablesBesideChain })
  const proposers: string[] = []
  for (let height = 1n; ; height++) {
    const block = outerBlockAt(store.latest, height)
    if (!block) break
    const { wrapper } = block
    if (wrapper && wrapper.proposer !== EMPTY_NODE_ID) proposers.push(nodeIDText(wrapper.proposer))
  }
  check(store)
  await store.close()
  return proposers
}

for (const hasHelicon of [false, true]) {
  const network = hasHelicon ? "a network with Helicon" : "the local network"
  describe(`three validators of AvalancheGo and two of Serac on ${network}`, hasHelicon ? needsHelicon : needsAvalancheGo, () => {
    let custom: HeliconNetwork | undefined
    let built: ReturnType<typeof buildSerac>
    let network: MixedNetwork
    let rules: Rules

    beforeAll(async () => {
      custom = hasHelicon ? heliconNetwork(nowSeconds(), 0n) : undefined
      rules = rulesOf(custom)
      built = buildSerac()
      network = new MixedNetwork({ flags: custom?.flags ?? localFlags, bin: built.bin })
      await network.start()
    }, 300_000)
    afterAll(async () => {
      await network?.stop()
      custom?.remove()
    }, 60_000)

    test("commit payments that are issued at any of the five", async () => {
      for (const url of [...network.urls, ...network.urls]) await network.untilCommitted(await network.pay(url, rules), 60_000)
    }, 300_000)

    if (hasHelicon)
      test("vote together on the reward of a validator that was never online", async () => {
        const tx = autoRenewedValidator(network.unspent, rules.avaxAssetID, 15n)
        network.unspent = { txID: tx.id, outputIndex: 0, amount: network.unspent.amount - 2_000_000_000_000n - 1_000_000n }
        await network.issue(network.urls[4] as string, tx)
        await network.untilCommitted(tx, 60_000)
        const isGone = async (url: string) => {
          const { validators } = await ask(url, "/ext/bc/P", "platform.getCurrentValidators")
          return !(validators as { txID: string }[]).some(({ txID }) => txID === idText(tx.id))
        }
        await until(async () => (await Promise.all(network.urls.map(isGone))).every(Boolean), 90_000)
      }, 200_000)

    test("commit the reward of a delegator whose validator was online", async () => {
      // The reward of a delegator depends on the uptime of its validator, here the fourth, which is Serac's.
      const tx = delegation(network.unspent, rules, ours[0] as string, nowSeconds() + STAKE_SECONDS)
      network.unspent = changeOfDelegation(tx, network.unspent)
      await network.issue(network.urls[0] as string, tx)
      await network.untilCommitted(tx, 60_000)
      const rewardsAt = async (url: string) => {
        const { utxos } = await ask(url, "/ext/bc/P", "platform.getRewardUTXOs", { txID: idText(tx.id) })
        return utxos as string[]
      }
      await until(async () => (await Promise.all(network.urls.map(rewardsAt))).every((utxos) => utxos.length === 1), 90_000)
      const [first, ...others] = await Promise.all(network.urls.map(rewardsAt))
      for (const utxos of others) expect(utxos).toEqual(first)
    }, 200_000)

    test("decide nothing while Serac's two are stopped, and continue within 30 seconds after their restart", async () => {
      await network.endOurs()
      const [first] = network.urls as [string]
      const before = await network.heightAt(first)
      const tx = await network.pay(first, rules)
      // Longer than a slot, in which every other proposer would have had its turn.
      await new Promise((resolve) => setTimeout(resolve, 8_000))
      expect(await network.heightAt(first)).toBe(before)
      await network.startOurs()
      await network.untilCommitted(tx, 30_000)
    }, 120_000)

    test("have the same blocks, some of them proposed by Serac, and AvalancheGo's VM reaches the same state", {
      ...needsJudge,
      timeout: 300_000,
    }, async () => {
      const height = await network.heightAt(network.urls[0] as string)
      const [first, ...others] = await Promise.all(network.urls.map((url) => network.blocksAt(url, height)))
      for (const blocks of others) expect(blocks).toEqual(first)
      await network.endOurs("SIGTERM")
      const judged = custom && {
        networkID: custom.networkID,
        genesis: custom.genesisText,
        upgrades: custom.upgradeText,
        flags: custom.ruleFlags,
      }
      const proposers = await proposersIn(network.directories[0] as string, (store) =>
        expectJudged(store, judged ?? { flags: { "min-stake-duration": "30s" } }),
      )
      expect(proposers.filter((nodeID) => ours.includes(nodeID)).length, proposers.join(" ")).toBeGreaterThan(0)
    })
  })
}

describe("five validators of Serac alone", needsAvalancheGo, () => {
  let built: ReturnType<typeof buildSerac>
  let network: MixedNetwork

  beforeAll(async () => {
    built = buildSerac()
    network = new MixedNetwork({ flags: localFlags, theirs: 0, bin: built.bin })
    await network.start()
  }, 120_000)
  afterAll(async () => {
    await network?.stop()
    built?.remove()
  }, 60_000)

  test("commit payments that are issued at any of them, and AvalancheGo's VM reaches the same state", {
    ...needsJudge,
    timeout: 300_000,
  }, async () => {
    const rules = rulesOf(undefined)
    for (const url of [...network.urls, ...network.urls]) await network.untilCommitted(await network.pay(url, rules), 60_000)
    await network.endOurs("SIGTERM")
    const proposers = await Promise.all(
      network.directories.map((dir) =>
        proposersIn(dir, (store) => expectJudged(store, { flags: { "min-stake-duration": "30s" } })),
      ),
    )
    expect(proposers[0]?.length).toBeGreaterThan(0)
    for (const each of proposers) expect(each).toEqual(proposers[0])
  })
})
