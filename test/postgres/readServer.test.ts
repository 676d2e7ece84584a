import { afterEach, describe, expect, test } from "vitest"

import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { newDatabase, noPostgres, noteNoPostgres } from "../fixtures/postgres.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"
import { ask, caughtUp, startReader } from "../fixtures/readServer.js"

noteNoPostgres()

describe.skipIf(noPostgres !== undefined)("a read server", () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function publishedChain(blocks: number, snapshotEvery?: number) {
    const database = await newDatabase()
    closing.push(() => database.close())
    const made = openTestChain()
    acceptAll(made.chain, [...longChain(localNetwork(), blocks)])
    made.chain.flush()
    const publisher = startPublisher(made, { url: database.url, ...(snapshotEvery ? { snapshotEvery } : {}) })
    closing.push(() => publisher.stop())
    await published(publisher, BigInt(blocks))
    return { ...made, database, publisher }
  }

  const reader = async (url: string) => {
    const server = await startReader(url)
    closing.push(() => server.stop())
    return server
  }

  test("answers about the current state from memory and about blocks and transactions from the database", async () => {
    const { database } = await publishedChain(30)
    const server = await reader(database.url)
    await caughtUp(server, 30n)
    expect(await ask(server, "platform.getHeight")).toMatchObject({
      status: 200,
      height: "30",
      body: { result: { height: "30" } },
    })
    const { body } = await ask(server, "platform.getBlockByHeight", { height: 30, encoding: "hex" })
    expect(body.result.block).toMatch(/^0x/)
  })
})
