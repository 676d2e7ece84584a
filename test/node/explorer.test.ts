import { expect, test } from "vitest"
import { nodeJsonClient } from "../../src/client/client.js"
import { type Block, decodeBlock } from "../../src/core/blocks/block.js"
import { decode } from "../../src/core/codec/decode.js"
import type { Json } from "../../src/core/lib/json.js"
import { fromHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { topLevelUtxo, utxoID } from "../../src/core/types/utxo.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { httpTransport } from "../../src/jsonrpc/client.js"
import { BlockFacts } from "../fixtures/blockFacts.js"
import { expectExplorer } from "../fixtures/expectExplorer.js"
import { pagesOf } from "../fixtures/explorerAsk.js"

const DAY = 86_400
const AVAX = 1_000_000_000n

test("every method for explorers agrees with the blocks of a private chain, also after a revert", async () => {
  await using devnet = await startDevnet({ accounts: 3, startTime: 1_900_000_000n, freezeTime: true })
  const { dev, keys, rpc } = devnet
  const json = nodeJsonClient(httpTransport(devnet.url))
  const addresses = keys.slice(2).map(({ address }) => address)
  const [alice, bob] = addresses as [string, string]
  const owned = new Map<bigint, Record<string, readonly string[]>>()
  /** Records the present balances of two addresses from AvalancheGo's own method. */
  const remember = async () => {
    const { height } = await rpc("platform.getHeight")
    const utxosOf = async (address: string) =>
      (await rpc("platform.getUTXOs", { addresses: [address] })).utxos.map(utxoIDIn).sort()
    owned.set(height, { [alice]: await utxosOf(alice), [bob]: await utxosOf(bob) })
  }
  await remember()
  await dev.addValidators({ count: 2, duration: 14 * DAY, delegators: 2 })
  const { subnetID, validators } = await dev.createL1({ validators: 2 })
  const first = validators[0]?.validationID as string
  await dev.setL1Weight({ validationID: first, weight: 7 })
  await dev.registerL1Validator({ subnetID, balance: AVAX / 10_000n })
  const { id } = await dev.snapshot()
  await remember()
  await dev.pay({ from: alice, to: bob, amount: 3n * AVAX })
  await remember()
  await dev.revert({ id })
  await dev.pay({ from: bob, to: alice, amount: 5n * AVAX })
  await remember()
  await dev.setL1Weight({ validationID: first, weight: 0 })
  await dev.advanceTime({ seconds: 15 * DAY, settle: true })
  await remember()
  const { height } = await rpc("platform.getHeight")
  const blocks: Block[] = []
  for (let at = 1n; at <= height; at++) {
    const { block } = await rpc("platform.getBlockByHeight", { height: at, encoding: "hex" })
    blocks.push(decodeBlock(fromHexText(block)))
  }
  // Genesis is not compared: the owners of outputs that are spent from it are not known here.
  const facts = new BlockFacts(blocks, { timestamp: 1_900_000_000n, body: () => ({ utxos: [], validators: [], chains: [] }) })
  const kinds = new Set(facts.txs.map(({ tx }) => tx.unsignedTx.kind))
  expect(kinds).toContain("RewardValidatorTx")
  const ask = async (method: string, params: Json) => (await json(method, params)) as Record<string, Json>
  for (const [at, byAddress] of owned) {
    for (const [address, expected] of Object.entries(byAddress)) {
      const utxos = await pagesOf(ask, "platform.getUTXOsAt", "utxos", { address, height: at }, 1)
      expect([at, address, utxos.map(({ utxoID: each }) => each).sort()]).toEqual([at, address, expected])
    }
  }
  const ranOut = await expectExplorer({ facts, ask, hrp: "local" })
  expect([...ranOut.values()].flat().length).toBeGreaterThan(0)
})

function utxoIDIn(hex: string): string {
  const { txID, outputIndex } = decode(topLevelUtxo, fromHexText(hex))
  return idText(utxoID(txID, outputIndex))
}
