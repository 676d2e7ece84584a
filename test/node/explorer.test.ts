import { expect, test } from "vitest"
import { type Block, decodeBlock } from "../../src/core/blocks/block.js"
import type { Json } from "../../src/core/lib/json.js"
import { fromHexText } from "../../src/core/types/hexText.js"
import { httpTransport } from "../../src/jsonrpc/client.js"
import { nodeJsonClient } from "../../src/node/client.js"
import { startDevnet } from "../../src/node/devnet.js"
import { BlockFacts } from "../fixtures/blockFacts.js"
import { expectExplorer } from "../fixtures/expectExplorer.js"

const DAY = 86_400
const AVAX = 1_000_000_000n

test("every method for explorers answers on a private chain what its blocks say, also after a revert", async () => {
  await using devnet = await startDevnet({ accounts: 3, startTime: 1_900_000_000n, freezeTime: true })
  const { dev, keys, rpc } = devnet
  const json = nodeJsonClient(httpTransport(devnet.url))
  const addresses = keys.slice(2).map(({ address }) => address)
  const [alice, bob] = addresses as [string, string]
  await dev.addValidators({ count: 2, duration: 14 * DAY, delegators: 2 })
  const { subnetID, validators } = await dev.createL1({ validators: 2 })
  const first = validators[0]?.validationID as string
  await dev.setL1Weight({ validationID: first, weight: 7 })
  await dev.registerL1Validator({ subnetID, balance: AVAX / 10_000n })
  const { id } = await dev.snapshot()
  await dev.pay({ from: alice, to: bob, amount: 3n * AVAX })
  await dev.revert({ id })
  await dev.pay({ from: bob, to: alice, amount: 5n * AVAX })
  await dev.setL1Weight({ validationID: first, weight: 0 })
  await dev.advanceTime({ seconds: 15 * DAY, settle: true })
  const { height } = await rpc("platform.getHeight")
  const blocks: Block[] = []
  for (let at = 1n; at <= height; at++) {
    const { block } = await rpc("platform.getBlockByHeight", { height: at, encoding: "hex" })
    blocks.push(decodeBlock(fromHexText(block)))
  }
  // Genesis is left out: what is spent from it has no known owner here.
  const facts = new BlockFacts(blocks, { timestamp: 1_900_000_000n, utxos: [], validators: [] })
  const kinds = new Set(facts.txs.map(({ tx }) => tx.unsignedTx.kind))
  expect(kinds).toContain("RewardValidatorTx")
  const ask = async (method: string, params: Json) => (await json(method, params)) as Record<string, Json>
  const ranOut = await expectExplorer({ facts, ask, hrp: "local" })
  expect([...ranOut.values()].flat().length).toBeGreaterThan(0)
})
