import { afterEach, describe, expect, test } from "vitest"
import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"
import { contentOf } from "../fixtures/publishedContent.js"
import { startReader } from "../fixtures/readServer.js"

describe("a database with tables of an older version", needsPostgres, () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const chain = openTestChain()
  acceptAll(chain.chain, [...longChain(localNetwork(), 12)])
  chain.chain.flush()
  const publish = (url: string, replaces = false) => {
    const publisher = startPublisher(chain, { url, replaces })
    closing.push(() => publisher.stop())
    return publisher
  }
  /** A database whose tables say that they are of an older version, with another column, and a view of the user's on them. */
  const olderDatabase = async () => {
    const made = await newDatabase()
    closing.push(() => made.close())
    const first = publish(made.url)
    await published(first, 12n)
    await first.stop()
    const { known } = (await olderRefusal(made)) as { known: number }
    return { ...made, known }
  }
  /** Makes the tables those of version 1, and returns the data of the refusal. */
  const olderRefusal = async ({ sql, url }: Awaited<ReturnType<typeof newDatabase>>) => {
    await sql`update serac.schema_version set version = 1`
    await sql`alter table serac.blocks drop column tx_count cascade`
    const problem = await published(publish(url), 12n).catch((error) => error)
    expect(problem).toMatchObject({ code: "postgres.older_schema", data: { got: 1 } })
    return problem.data
  }

  test("is refused by a publisher and by a read server, and nothing changes", async () => {
    const { sql, url } = await olderDatabase()
    const before = await contentOf(sql)
    await expect(published(publish(url), 12n)).rejects.toMatchObject({ code: "postgres.older_schema", data: { got: 1 } })
    await expect(startReader(url)).rejects.toMatchObject({ code: "postgres.older_schema", data: { got: 1 } })
    expect(await contentOf(sql)).toEqual(before)
  })

  test("is made again with --replace, also by two publishers that start together", async () => {
    const [{ sql, url, known }, fresh] = [await olderDatabase(), await newDatabase()]
    closing.push(() => fresh.close())
    await Promise.race([publish(url, true), publish(url, true)].map((each) => published(each, 12n)))
    await published(publish(fresh.url), 12n)
    expect([...(await sql`select version from serac.schema_version`)]).toEqual([{ version: known }])
    expect(await contentOf(sql)).toEqual(await contentOf(fresh.sql))
  })
})
