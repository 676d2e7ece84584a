import { expect, test } from "vitest"
import { expectJudged, judgedTest } from "../../../test/judge.js"
import { chainIDOf } from "../../core/networks/aliases.js"
import { AVAX } from "../../core/networks/params.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import { emptyView } from "../../core/state/view.js"
import { Actor } from "../actor.fixture.js"
import { openDevnet } from "../devnet.fixture.js"
import { grantTo } from "../funds/treasury.js"
import { applyOverride, atomicLines, currentOverrides, overridesOf } from "./overrides.js"

judgedTest(
  "credits from other chains are imported by real transactions, which AvalancheGo accepts when it knows of them",
  async (judge) => {
    const devnet = await openDevnet()
    const { dev, chain, store } = devnet
    const { genesis } = chain.options
    const actor = await Actor.withFunds(devnet, 1, AVAX)
    for (const source of [genesis.xChainID, genesis.cChainID]) {
      const { txID, outputIndex, assetID } = await dev.creditAtomic(source, actor.key.address, 5n * AVAX)
      const input = { kind: "TransferInput" as const, amount: 5n * AVAX, signatureIndices: [0] }
      const importedInputs = [{ txID, outputIndex, assetID, input }]
      await actor.issue(actor.make("ImportTx", { sourceChain: source, importedInputs }))
    }
    const lines = atomicLines(store.latest, (chainID) => ["X", "C"].find((alias) => chainIDOf(alias, genesis) === chainID) ?? "")
    expect(lines.map((line) => line.split(" ")[1])).toEqual(["X", "C"])
    judge(() => expectJudged(store, { atomic: lines }))
  },
)

test("overrides are stored in order with their heights, and applied again from there", async () => {
  const devnet = await openDevnet()
  const { dev, store, chain } = devnet
  const { nodeID } = chain.options.genesis.body().validators[0]!.unsignedTx.validator
  const actor = new Actor(devnet, 5)
  await dev.impersonate([actor.key.address])
  await dev.mine({ blocks: 1, filler: true })
  await dev.setUptime(nodeID, 12.5)
  await dev.fund({ ...grantTo(actor.key.address, 7n), stakeableLocktime: 9_999_999_999n })
  await dev.mine({ blocks: 1, filler: true })
  await dev.stopImpersonating([actor.key.address])
  await dev.setUptime(nodeID, undefined)
  const overrides = [...overridesOf(store.latest)]
  expect(overrides.map(({ height, override }) => [height, override.kind])).toEqual([
    [0n, "impersonate"],
    [1n, "uptime"],
    [1n, "utxo"],
    [2n, "stopImpersonating"],
    [2n, "uptime"],
  ])
  expect(currentOverrides(store.latest, 1n)).toEqual({
    count: 3,
    impersonated: new Set([actor.key.address]),
    uptimes: new Map([[nodeID, 12.5]]),
  })
  expect(currentOverrides(store.latest)).toEqual({ count: 5, impersonated: new Set(), uptimes: new Map() })
  const diff = new Diff(emptyView)
  for (const { override } of overrides) applyOverride(diff, override)
  const [row] = [...diff.rows(tables.utxos)]
  expect(store.latest.get(tables.utxos, row![0])).toEqual(row![1])
  await chain.stop()
  const again = await openDevnet({ store, machine: devnet.machine })
  expect(again.dev.status().overrides).toBe(5)
})

test("impersonation and uptimes outlive a restart", async () => {
  const devnet = await openDevnet()
  const { store, machine, chain } = devnet
  const { nodeID } = chain.options.genesis.body().validators[0]!.unsignedTx.validator
  const actor = new Actor(devnet, 5)
  await devnet.dev.impersonate([actor.key.address])
  await devnet.dev.setUptime(nodeID, 50)
  await chain.stop()
  const again = await openDevnet({ store, machine })
  expect([...again.chain.status.overrides.impersonated]).toEqual([actor.key.address])
  expect(again.chain.status.uptimeOf(nodeID)).toBe(0.5)
})
