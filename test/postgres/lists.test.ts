import { describe, expect, onTestFinished, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import type { Node } from "../../src/node/node.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { addToPrivateChain } from "../fixtures/privateChain.js"
import { caughtUp, startReader } from "../fixtures/readServer.js"
import { startCopy } from "../sync/followNodes.js"

const START = 1_900_000_000n

/** The number of statements for a list of any length: one for each kind of row that an entry consists of. */
const MOST_STATEMENTS = 10

async function textAt(url: string, method: string, params: object): Promise<{ status: number; text: string }> {
  const path = method.startsWith("index.") ? "index/P/block" : "bc/P"
  const response = await fetch(`${url}/ext/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  })
  return { status: response.status, text: await response.text() }
}

async function statementsOf({ listening }: Node): Promise<number> {
  const metrics = await (await fetch(`${listening?.url}/ext/metrics`)).text()
  return Number(/^serac_read_statements_total (\d+)$/m.exec(metrics)?.[1])
}

describe("lists on a read server", needsPostgres, () => {
  test("take a few statements each, and answer as the node does", async () => {
    const { url, close } = await newDatabase()
    onTestFinished(close)
    await using devnet = await startDevnet({ startTime: START, freezeTime: true, flags: { "min-stake-duration": "1h" } })
    const [address, friend] = [devnet.keys[2]!.address, devnet.keys[0]!.address]
    await addToPrivateChain(devnet)
    await devnet.dev.addValidators({ count: 20, duration: 86_400 })
    for (let i = 0; i < 60; i++) await devnet.dev.fund({ address, amount: String(i + 1) })
    await devnet.dev.advanceTime({ seconds: 2 * 86_400 })
    await addToPrivateChain(devnet)
    const { height } = await devnet.dev.status()
    await using publisher = await startCopy([devnet.url], undefined, { publish: url, snapshotEvery: 10 })
    await publisher.reaches(height)
    const { txs } = JSON.parse((await textAt(devnet.url, "platform.getTxs", { kinds: ["RegisterL1ValidatorTx"] })).text).result
    const registered = JSON.parse((await textAt(devnet.url, "platform.getTxsByAddress", { address: friend })).text).result.txs
    const { subnets } = JSON.parse((await textAt(devnet.url, "platform.getSubnets", {})).text).result
    const l1 = { subnetID: subnets.at(-2).id }
    const { validators } = JSON.parse((await textAt(devnet.url, "platform.getCurrentValidators", l1)).text).result
    const lists: [string, object][] = [
      ["platform.getBlocks", {}],
      ["platform.getBlocks", { from: "2030-03-18T00:00:00Z", limit: 1024 }],
      ["platform.getTxs", { limit: 1024 }],
      ["platform.getTxs", { kinds: ["BaseTx", "RewardValidatorTx"] }],
      ["platform.getTxsByAddress", { addresses: [address, friend], limit: 1024 }],
      ["platform.getTxsByAddress", { address: friend, kinds: ["AddPermissionlessValidatorTx", "BaseTx"] }],
      ["platform.getRewardsByAddress", { address: friend, limit: 1024 }],
      ["platform.getStakesByAddress", { address: friend, limit: 1024 }],
      ["platform.getRewardsByAddress", { addresses: [address, friend], from: "2030-03-18", kinds: ["validation"] }],
      ["platform.getStakesByAddress", { addresses: [address, friend], from: 2, to: 60 }],
      ["platform.getBalanceAt", { addresses: [address, friend], height: "2030-03-18" }],
      ["platform.getUTXOsAt", { addresses: [address, friend], height: "2030-03-18" }],
      ["platform.getFormerValidators", { from: "2030-03-18", limit: 1024 }],
      ["platform.getL1ValidatorHistory", { validationID: validators.at(-1).validationID, from: 1, to: "2030-12-31" }],
      ["platform.getL1ValidatorHistory", { validationID: validators.at(-1).validationID }],
      ["platform.getFormerValidators", { limit: 1024 }],
      ["platform.getFeeHistory", { limit: 1024 }],
      ["platform.getBalanceAt", { address, height: String(height - 20n) }],
      ["platform.getUTXOsAt", { address, height: String(height - 20n) }],
      ["platform.getTxInfo", { txID: registered.at(-1).txID }],
      ["platform.getTxInfo", { txID: txs[0].txID }],
      ["index.getContainerRange", { startIndex: 0, numToFetch: 1024, encoding: "hex" }],
    ]
    for (const [method, params] of lists) {
      const server = await startReader(url)
      try {
        await caughtUp(server, height)
        const before = await statementsOf(server)
        const answer = await textAt(server.listening?.url ?? "", method, params)
        expect(answer, method).toEqual(await textAt(devnet.url, method, params))
        expect(answer.text, method).toContain('"result"')
        expect((await statementsOf(server)) - before, method).toBeLessThanOrEqual(MOST_STATEMENTS)
      } finally {
        await server.stop()
      }
    }
  }, 120_000)
})
