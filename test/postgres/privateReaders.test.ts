import { describe, expect, onTestFinished, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { addToPrivateChain } from "../fixtures/privateChain.js"
import { ask, caughtUp, startReader } from "../fixtures/readServer.js"
import { startCopy } from "../sync/followNodes.js"

const START = 1_900_000_000n

/** Calls a method of a node, and returns its result as JSON. */
async function resultAt(url: string, method: string, params: object): Promise<unknown> {
  const answer = await fetch(`${url}/ext/bc/P`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  })
  return JSON.parse(await answer.text()).result
}

/** Removes members about other nodes, which a read server has none of. */
const withoutPeers = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value) => (["connected", "uptime"].includes(name) ? undefined : (value as unknown))) ?? "null",
  )

describe("read servers of a private chain", needsPostgres, () => {
  test("have its blocks with Warp messages, its overrides and its ID, while it grows, and their chain can be followed", async () => {
    const { url, close } = await newDatabase()
    onTestFinished(close)
    await using devnet = await startDevnet({ startTime: START, freezeTime: true, flags: { "min-stake-duration": "1h" } })
    await addToPrivateChain(devnet)
    await using publisher = await startCopy([devnet.url], undefined, { publish: url, snapshotEvery: 1 })
    await using reader = await (async () => {
      await publisher.reaches((await devnet.dev.status()).height)
      const server = await startReader(url)
      return Object.assign(server, { [Symbol.asyncDispose]: () => server.stop() })
    })()
    const address = devnet.keys[2]!.address
    const questions: [string, object][] = [
      ["platform.getHeight", {}],
      ["platform.getCurrentSupply", {}],
      ["platform.getUTXOs", { addresses: [address, devnet.keys[3]!.address] }],
      ["platform.getUTXOs", { addresses: [address], sourceChain: "C" }],
      ["platform.getBalance", { addresses: [address] }],
      ["platform.getTxsByAddress", { addresses: [address] }],
      ["platform.getSubnets", {}],
      ...[0, 2, 5].map((height): [string, object] => ["platform.getBalanceAt", { address, height }]),
      ...[3, 6].map((height): [string, object] => ["platform.getValidatorsAt", { height }]),
    ]
    const expectSame = async () => {
      const { height } = await devnet.dev.status()
      await publisher.reaches(height)
      await caughtUp(reader, height)
      const { subnets } = (await resultAt(devnet.url, "platform.getSubnets", {})) as { subnets: { id: string }[] }
      const ofSubnets = subnets.flatMap(({ id: subnetID }): [string, object][] => [
        ["platform.getCurrentValidators", { subnetID }],
        ["platform.getValidatorsAt", { subnetID, height: Number(height) }],
      ])
      const { l1s } = (await resultAt(devnet.url, "platform.getL1s", {})) as { l1s: { subnetID: string }[] }
      expect(l1s.length).toBeGreaterThan(0)
      const ofL1s = l1s.flatMap(({ subnetID }) =>
        [height, height - 1n].map((at): [string, object] => ["platform.getL1Health", { subnetID, height: String(at) }]),
      )
      for (const [method, params] of [...questions, ...ofSubnets, ...ofL1s]) {
        const own = await resultAt(devnet.url, method, params)
        expect(own, method).toBeDefined()
        const ofReader = async () => withoutPeers((await ask(reader, method, params)).body.result)
        await expect.poll(ofReader, { timeout: 20_000, message: method }).toEqual(withoutPeers(own))
      }
    }
    await expectSame()
    // Overrides without a block, and then blocks that need them.
    await devnet.dev.creditAtomic({ address, amount: "77", sourceChain: "C" })
    await devnet.dev.fund({ address, amount: "9", stakeableLocktime: START + 90_000_000n })
    await expectSame()
    await addToPrivateChain(devnet)
    await expectSame()
    // A new server, which starts from a snapshot, and a copy of its chain.
    const second = await startReader(url)
    onTestFinished(() => second.stop())
    const { height } = await devnet.dev.status()
    await caughtUp(second, height)
    for (const [method, params] of questions) {
      expect((await ask(second, method, params)).body.result, method).toEqual(await resultAt(devnet.url, method, params))
    }
    await using copy = await startCopy([second.listening!.url])
    await copy.reaches(height)
  })
})
