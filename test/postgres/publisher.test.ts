import { afterEach, describe, expect, test, vi } from "vitest"
import { readTables } from "../../src/core/readmodel/tables.js"
import { RowBatch } from "../../src/core/sql/sqlTable.js"
import { sqlTables } from "../../src/core/sql/tables.js"
import { Diff } from "../../src/core/state/diff.js"
import { idText } from "../../src/core/types/id.js"
import { openDatabase } from "../../src/postgres/connection.js"
import { copyRows } from "../../src/postgres/copyRows.js"
import type { Publisher } from "../../src/postgres/publisher.js"
import { makeSchema } from "../../src/postgres/schema.js"
import { inTransaction } from "../../src/postgres/transaction.js"
import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { needsPostgres, newDatabase, type TestDatabase } from "../fixtures/postgres.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"

describe("a published chain", needsPostgres, () => {
  const opened: (Publisher | TestDatabase)[] = []
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await ("stop" in each ? each.stop() : each.close())
  })

  const database = async () => {
    const made = await newDatabase()
    opened.push(made)
    return made
  }
  const publish = (...args: Parameters<typeof startPublisher>) => {
    const publisher = startPublisher(...args)
    opened.push(publisher)
    return publisher
  }

  test("has every block once, and its last block as the tip", async () => {
    const { url, sql } = await database()
    const made = openTestChain()
    const blocks = [...longChain(localNetwork(), 30)]
    acceptAll(made.chain, blocks)
    made.chain.flush()
    const publisher = publish(made, { url, limits: { blocks: 7, size: 1 << 20 } })
    await published(publisher, 30n)
    const rows =
      await sql`select height, block_id, encode(bytes, 'hex') as bytes from serac.blocks where height > 0 order by height`
    const expected = blocks.map(({ height, id, bytes }) => ({
      height,
      block_id: idText(id),
      bytes: Buffer.from(bytes).toString("hex"),
    }))
    expect([...rows]).toEqual(expected)
    const [tip] = await sql`select height, block_id, reverts from serac.tip`
    expect(tip).toEqual({ height: 30n, block_id: idText(blocks.at(-1)!.id), reverts: 0n })
  })

  test("ends before the first block whose history is missing, and continues when the history is there", async () => {
    const { url, sql } = await database()
    const made = openTestChain()
    acceptAll(made.chain, [...longChain(localNetwork(), 6)])
    made.chain.flush()
    const edits = new Diff(made.store.latest)
    edits.put(readTables.historyGap, null, { height: 4n, version: "", reason: "" })
    made.store.commit(edits.edits)
    const publisher = publish(made, { url, limits: { blocks: 2, size: 1 << 20 } })
    await expect(published(publisher, 6n)).rejects.toMatchObject({
      code: "postgres.history_incomplete",
      data: { missingFrom: 4n },
    })
    expect([...(await sql`select max(height) as height from serac.blocks`)]).toEqual([{ height: 3n }])
    await publisher.stop()
    const mended = new Diff(made.store.latest)
    mended.delete(readTables.historyGap, null)
    made.store.commit(mended.edits)
    await published(publish(made, { url }), 6n)
  })

  test("is continued after a fault while its publisher reads the store, which is reported", async () => {
    const { url } = await database()
    const made = openTestChain()
    acceptAll(made.chain, [...longChain(localNetwork(), 3)])
    made.chain.flush()
    const fault = new Error("a fault in a view")
    vi.spyOn(made.store, "view").mockImplementationOnce(() => {
      throw fault
    })
    const reported: unknown[] = []
    const publisher = publish(made, { url, reportFault: (...report) => reported.push(report) })
    await expect(published(publisher, 3n)).rejects.toBe(fault)
    await vi.waitFor(() => expect(publisher.status).toMatchObject({ height: 3n, problem: undefined }), { timeout: 20_000 })
    expect(reported).toEqual([[fault, "publisher"]])
  })

  test("notifies readers of every new tip", async () => {
    const { url, sql } = await database()
    const made = openTestChain()
    const blocks = [...longChain(localNetwork(), 2)]
    const publisher = publish(made, { url })
    await published(publisher, 0n)
    const payloads: string[] = []
    let onAll: () => void = () => {}
    const all = new Promise<void>((resolve) => {
      onAll = resolve
    })
    await sql.listen("serac_tip", (payload) => {
      payloads.push(payload)
      if (payloads.length === blocks.length) onAll()
    })
    for (const block of blocks) {
      acceptAll(made.chain, [block])
      made.chain.flush()
      publisher.wake()
      await published(publisher, block.height)
    }
    await all
    expect(payloads).toEqual(blocks.map(({ height, id }) => `${height} ${idText(id)} 0`))
  })

  test("stores values of any size and text with any character unchanged", async () => {
    const { url, sql } = await database()
    const writing = await openDatabase(url, { max: 1, name: "test" })
    await makeSchema(writing, () => false)
    const amounts = [0n, 1n, 9_999n, 10_000n, 10n ** 16n, 90_071_992_547_409_930_001n, 2n ** 64n - 1n, 2n ** 70n]
    const names = ["", "a\tb\nc\\.\r\\N", "ü 漢 🏔", "nul \0 byte"]
    const rows = new RowBatch()
    const place = { height: 2n ** 62n, time: 4_102_444_800n }
    for (const [i, amount] of amounts.entries()) {
      const texts = { direction: "import", chain_id: "c", asset_id: "a", addresses: [] }
      rows.add(sqlTables.cross_chain_transfers, { tx_id: "t", transfer_index: i, ...texts, ...place, amount })
      const change = { subnet_id: "s", node_id: String(i), ...place, weight_change: -amount }
      rows.add(sqlTables.validator_set_changes, change)
    }
    for (const [i, name] of names.entries()) {
      rows.add(sqlTables.chains, { chain_id: String(i), subnet_id: "s", vm_id: "v", name, ...place })
      const owner_addresses = names.slice(0, i).map((_, j) => `P-local1${j}`)
      rows.add(sqlTables.subnets, { subnet_id: String(i), owner_addresses, owner_threshold: 0n, ...place })
    }
    await inTransaction(
      writing,
      () => false,
      (transaction) => copyRows(transaction, rows),
    )
    await writing.end()
    const column = async (statement: string) => (await sql.unsafe(statement)).map(({ value }) => value)
    expect(await column("select amount as value from serac.cross_chain_transfers order by transfer_index")).toEqual(
      amounts.map(String),
    )
    expect(await column("select weight_change as value from serac.validator_set_changes order by node_id::int")).toEqual(
      amounts.map((amount) => String(-amount)),
    )
    expect(await column("select name as value from serac.chains order by chain_id")).toEqual(
      names.map((name) => name.replace("\0", "�")),
    )
    expect(await column("select owner_addresses as value from serac.subnets order by subnet_id")).toEqual(
      names.map((_, i) => ["P-local10", "P-local11", "P-local12"].slice(0, i)),
    )
    const [row] = await sql`select height, time::text from serac.chains limit 1`
    expect(row).toEqual({ height: 2n ** 62n, time: "2100-01-01 00:00:00+00" })
  })
})
