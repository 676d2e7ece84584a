import { afterEach, describe, expect, test } from "vitest"
import { idText } from "../../src/core/types/id.js"
import type { Publisher } from "../../src/postgres/publisher.js"
import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { newDatabase, noteNoPostgres, type TestDatabase } from "../fixtures/postgres.js"
import { noPostgres } from "../fixtures/postgresServer.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"

noteNoPostgres()

describe.skipIf(noPostgres !== undefined)("a published chain", () => {
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

  test("notifies readers of every new tip", async () => {
    const { url, sql } = await database()
    const made = openTestChain()
    const blocks = [...longChain(localNetwork(), 2)]
    const publisher = publish(made, { url })
    await published(publisher, 0n)
    const told: string[] = []
    let onAll: () => void = () => {}
    const all = new Promise<void>((resolve) => {
      onAll = resolve
    })
    await sql.listen("serac_tip", (payload) => {
      told.push(payload)
      if (told.length === blocks.length) onAll()
    })
    for (const block of blocks) {
      acceptAll(made.chain, [block])
      made.chain.flush()
      publisher.wake()
      await published(publisher, block.height)
    }
    await all
    expect(told).toEqual(blocks.map(({ height, id }) => `${height} ${idText(id)} 0`))
  })
})
