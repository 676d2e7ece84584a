import { describe, expect, onTestFinished, test } from "vitest"
import { ewoq } from "../../src/core/genesis/testKeys.js"
import { silentLog } from "../../src/core/lib/log.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { tables } from "../../src/core/state/tables.js"
import { addressText } from "../../src/core/types/address.js"
import { idText } from "../../src/core/types/id.js"
import { innerOutput } from "../../src/core/types/output.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import type { Node } from "../../src/node/node.js"
import { devOf } from "../../src/producer/dev.fixture.js"
import { grantTo } from "../../src/producer/funds/treasury.js"
import { devTables } from "../../src/producer/tables.js"
import { startPrivateChain } from "../../src/sources/private/privateNode.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"
import { contentOf } from "../fixtures/publishedContent.js"
import { ask, type ServerAnswer, startReader } from "../fixtures/readServer.js"

const START = 1_900_000_000n

describe("a private chain that is published", needsPostgres, () => {
  test("removes its rows when the chain is reverted, together with changes that no transaction made", async () => {
    const { url, sql, close } = await newDatabase()
    onTestFinished(close)
    const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
    const node = await startPrivateChain(store, {
      choice: { ruleFlags: {}, now: START },
      dialect: "contract",
      isPublic: false,
      publish: url,
      log: silentLog,
      wall: () => Number(START) * 1000,
    })
    onTestFinished(() => node.stop())
    const expectSame = async () => {
      const last = store.latest.get(tables.lastAccepted, null)!
      const overrides = BigInt([...store.latest.rows(devTables.overrides)].length)
      for (;;) {
        expect(node.api.health.report("health", []).checks.publish?.error).toBeUndefined()
        const [tip] = await sql<{ block_id: string; overrides: bigint }[]>`select block_id, overrides from serac.tip`.catch(
          () => [],
        )
        if (tip?.block_id === idText(last.id) && tip.overrides === overrides) break
      }
      const found = await sql<
        { id: string; amount: string }[]
      >`select tx_id || ' ' || output_index as id, amount from serac.utxos`
      const expected = [...store.latest.rows(tables.utxos)].map(([, { txID, outputIndex, output }]) => ({
        id: `${idText(txID)} ${outputIndex}`,
        amount: String(innerOutput(output).amount),
      }))
      const byID = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
      expect([...found].sort(byID)).toEqual(expected.sort(byID))
      const balances = await sql`select sum(amount) from serac.balances`
      const [all] = await sql`select sum(amount * cardinality(addresses)) from serac.utxos`
      expect(balances[0]).toEqual(all)
      await expectAsPublishedAnew()
      await expectReader()
    }
    /** The rows are those of a publisher that begins now. */
    const expectAsPublishedAnew = async () => {
      const fresh = await newDatabase()
      const publisher = startPublisher({ store, data: node.data }, { url: fresh.url, canRevert: true })
      try {
        await published(publisher, store.latest.get(tables.lastAccepted, null)!.height)
        const [{ tip: _old, ...old }, { tip: _new, ...anew }] = [await contentOf(sql), await contentOf(fresh.sql)]
        expect(old).toEqual(anew)
      } finally {
        await publisher.stop()
        await fresh.close()
      }
    }
    /** A read server gives the answers of the chain. */
    const expectReader = async () => {
      reader ??= await startReader(url)
      const owner = addressText(ewoq.address, "local")
      const { height } = store.latest.get(tables.lastAccepted, null)!
      for (const [method, params] of [
        ["platform.getHeight", {}],
        ["platform.getUTXOs", { addresses: [owner] }],
        ["platform.getBalanceAt", { address: owner, height: Number(height) }],
      ] as const) {
        const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
        const own = parseJson(Buffer.concat((await node.api.handle("/ext/bc/P", body))!.body).toString()) as ServerAnswer
        expect(own.result).toBeDefined()
        await expect
          .poll(async () => (await ask(reader!, method, params)).body.result, { timeout: 20_000, message: method })
          .toEqual(own.result)
      }
    }
    let reader: Node | undefined
    onTestFinished(() => reader?.stop())
    const dev = devOf(node)
    const { address } = ewoq
    const grant = (amount: bigint) => ({ ...grantTo(address, amount), stakeableLocktime: START + 1_000n })
    await expectSame()
    const early = await dev.snapshot()
    await dev.fund(grantTo(address, 5n))
    await dev.fund(grant(7n))
    await expectSame()
    const late = await dev.snapshot()
    await dev.fund(grant(8n))
    await dev.fund(grantTo(address, 9n))
    await expectSame()
    await dev.revert(late.id)
    await expectSame()
    // Another override in the place of the one that was taken back, on the same block.
    await dev.fund(grant(10n))
    await expectSame()
    await dev.revert(early.id)
    await dev.fund(grantTo(address, 11n))
    await expectSame()
    await dev.reset()
    await expectSame()
    const [tip] = await sql<{ reverts: bigint }[]>`select reverts from serac.tip`
    expect(tip?.reverts).toBeGreaterThan(0n)
  })
})
