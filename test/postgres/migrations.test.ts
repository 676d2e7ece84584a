import { readFileSync } from "node:fs"
import { brotliDecompressSync } from "node:zlib"
import { afterEach, describe, expect, test } from "vitest"
import type { Database } from "../../src/postgres/connection.js"
import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"
import { contentOf } from "../fixtures/publishedContent.js"

/** Returns the dump of a publication of a version: the first eight blocks of `longChain`. */
const dumpOf = (version: number) =>
  brotliDecompressSync(readFileSync(new URL(`../fixtures/publications/version${version}.sql.br`, import.meta.url))).toString()

const version1 = dumpOf(1)

/** The version that this program writes. */
const NEWEST = 8

/** Everything that the server knows of the tables and views: columns, keys, indexes, definitions and comments. */
async function schemaOf(sql: Database): Promise<readonly unknown[]> {
  const rows = await sql.unsafe(`
    select c.relname, c.relkind::text as kind, obj_description(c.oid) as comment,
      case c.relkind when 'v' then pg_get_viewdef(c.oid) when 'i' then pg_get_indexdef(c.oid) end as definition,
      (select json_agg(json_build_array(attname, format_type(atttypid, atttypmod), attnotnull, collname, col_description(c.oid, attnum))
         order by attnum)
       from pg_attribute left join pg_collation l on l.oid = attcollation where attrelid = c.oid and attnum > 0) as columns
    from pg_class c where relnamespace = 'serac'::regnamespace order by relname`)
  return rows.map((row) => ({ ...row }))
}

const versionOf = async (sql: Database) => [...(await sql`select version from serac.schema_version`)]

describe("a database of an older version", needsPostgres, () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const database = async (dump?: string) => {
    const made = await newDatabase()
    closing.push(() => made.close())
    if (dump !== undefined) await made.sql.unsafe(dump)
    return made
  }
  const chain = openTestChain()
  acceptAll(chain.chain, [...longChain(localNetwork(), 12)])
  chain.chain.flush()
  const publish = (url: string) => {
    const publisher = startPublisher(chain, { url, chainKind: "followed" })
    closing.push(() => publisher.stop())
    return publisher
  }

  test.each([1, 5])("%i is migrated to the newest version, keeps its rows, and can be published to", async (version) => {
    const [old, fresh] = [await database(dumpOf(version)), await database()]
    expect(await versionOf(old.sql)).toEqual([{ version }])
    // Two programs that start together migrate once.
    const both = [publish(old.url), publish(old.url)]
    await Promise.race(both.map((each) => published(each, 12n)))
    await published(publish(fresh.url), 12n)
    expect(await versionOf(old.sql)).toEqual([{ version: NEWEST }])
    expect(await schemaOf(old.sql)).toEqual(await schemaOf(fresh.sql))
    // The record of L1 fees begins with the blocks that a version with a record publishes.
    const removed = [old, fresh].map(({ sql }) => sql`delete from serac.history where number in (19, 20)`)
    expect((await Promise.all(removed)).map(({ count }) => count)).toEqual([version === 1 ? 0 : 1, 1])
    expect(await contentOf(old.sql)).toEqual(await contentOf(fresh.sql))
  })

  test("is unchanged after a migration that was killed, and is migrated at the next start", async () => {
    const old = await database(version1)
    const before = { schema: await schemaOf(old.sql), content: await contentOf(old.sql) }
    const holder = await old.sql.reserve()
    // The migration has changed other tables when it waits for this one.
    await holder`begin`
    await holder`lock table serac.l1_validator_events in access share mode`
    const publisher = publish(old.url)
    const kill = () => old.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'serac publish' and datname = current_database() and wait_event_type = 'Lock'`
    while ((await kill()).length === 0) await new Promise(setImmediate)
    await expect(published(publisher, 12n)).rejects.toMatchObject({ code: "postgres.unreachable" })
    expect(await versionOf(old.sql)).toEqual([{ version: 1 }])
    expect(await schemaOf(old.sql)).toEqual(before.schema)
    expect(await contentOf(old.sql)).toEqual(before.content)
    await holder`commit`
    holder.release()
    await new Promise<void>((resolve) => publisher.onChange(() => publisher.status.height === 12n && resolve()))
    expect(await versionOf(old.sql)).toEqual([{ version: NEWEST }])
  })
})
