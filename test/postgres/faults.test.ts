import { execFileSync, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import type { Invalid } from "../../src/core/lib/invalid.js"
import { openDatabase } from "../../src/postgres/connection.js"
import type { Publisher } from "../../src/postgres/publisher.js"
import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { givenServer, startPostgres } from "../fixtures/postgresServer.js"
import { openTestChain, published, startPublisher, type TestPublishing } from "../fixtures/publishedChain.js"
import { canMount } from "../mount.js"
import { needs } from "../needs.js"

/** A tablespace on a small disk needs a server of this machine, and root. */
const canUseOwnDisk = givenServer === undefined && process.getuid?.() === 0 && canMount

describe("a publisher that meets a fault", needsPostgres, () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  const longBlocks = [...longChain(localNetwork(), 60)]
  const blocks = longBlocks.slice(0, 12)
  const database = async () => {
    const made = await newDatabase()
    closing.push(() => made.close())
    return made
  }
  const chainOf = (height: number) => {
    const made = openTestChain()
    acceptAll(made.chain, blocks.slice(0, height))
    made.chain.flush()
    return made
  }
  const publish = (chain: ReturnType<typeof openTestChain>, options: TestPublishing) => {
    const publisher = startPublisher(chain, options)
    closing.push(() => publisher.stop())
    return publisher
  }

  /** Waits until a publisher has a problem. */
  const problemOf = (publisher: Publisher) =>
    new Promise<Invalid>((resolve) => {
      const look = () => {
        const { problem } = publisher.status
        if (!problem) return
        unsubscribe()
        resolve(problem as Invalid)
      }
      const unsubscribe = publisher.onChange(look)
      look()
    })
  const problemAt = (url: string) => problemOf(publish(chainOf(3), { url }))

  test("names a wrong password, and never repeats the password", async () => {
    const { url } = await database()
    const wrong = Object.assign(new URL(url), { password: "not-the-password" }).href
    const problem = await problemAt(wrong)
    expect(problem.code).toBe("postgres.login")
    expect(JSON.stringify([problem.message, problem.data])).not.toContain("not-the-password")
  })

  test("names a database that does not exist, and a server that does not answer", async () => {
    const { url } = await database()
    expect((await problemAt(Object.assign(new URL(url), { pathname: "/nowhere" }).href)).code).toBe("postgres.no_database")
    expect((await problemAt(Object.assign(new URL(url), { port: "1" }).href)).code).toBe("postgres.unreachable")
  })

  test("refuses tables of a newer version, and tables of other programs", async () => {
    const newer = await database()
    await newer.sql.unsafe(
      "create schema serac; create table serac.schema_version (version integer); insert into serac.schema_version values (99)",
    )
    expect(await problemAt(newer.url)).toMatchObject({ code: "postgres.newer_schema", data: { got: 99 } })
    const foreign = await database()
    await foreign.sql.unsafe("create schema serac; create table serac.blocks (height bigint)")
    expect(await problemAt(foreign.url)).toMatchObject({ code: "postgres.foreign", data: { table: "blocks" } })
  })

  test("refuses a database of another chain, and one with another block at a height", async () => {
    const { url, sql } = await database()
    const first = publish(chainOf(3), { url })
    await published(first, 3n)
    await first.stop()
    await sql`update serac.blocks set block_id = 'other' where height = 2`
    await sql`update serac.tip set block_id = 'other'`
    expect(await problemAt(url)).toMatchObject({ code: "postgres.other_block", data: { height: 2n } })
    await sql`update serac.chain set genesis_id = 'other'`
    expect((await problemAt(url)).code).toBe("postgres.other_chain")
  })

  test("waits while the chain is behind the published one, and continues when it is ahead", async () => {
    const { url, sql } = await database()
    const first = publish(chainOf(8), { url })
    await published(first, 8n)
    await first.stop()
    const behind = chainOf(5)
    const second = publish(behind, { url })
    await published(second, 8n)
    acceptAll(behind.chain, blocks.slice(5))
    behind.chain.flush()
    second.wake()
    await published(second, 12n)
    expect([...(await sql`select count(*), max(height) from serac.blocks`)]).toEqual([{ count: 13n, max: 12n }])
  })

  test("reports that the disk of the server is full, loses nothing, and continues when there is room", async () => {
    const { url, sql } = await database()
    const chain = chainOf(4)
    const publisher = publish(chain, { url })
    await published(publisher, 4n)
    await sql.unsafe(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      create trigger full_disk before insert on serac.txs for each row execute function full_disk()`)
    acceptAll(chain.chain, blocks.slice(4))
    chain.chain.flush()
    publisher.wake()
    expect((await problemOf(publisher)).code).toBe("postgres.disk_full")
    expect([...(await sql`select height from serac.tip`)]).toEqual([{ height: 4n }])
    await sql`drop trigger full_disk on serac.txs`
    await new Promise<void>((resolve) => publisher.onChange(() => publisher.status.height === 12n && resolve()))
    expect([...(await sql`select count(*), max(height) from serac.blocks`)]).toEqual([{ count: 13n, max: 12n }])
  })

  test(
    "continues when a small disk that was full has room",
    needs(canUseOwnDisk, "root, and a PostgreSQL server that the tests start"),
    async () => {
      const { url, sql } = await database()
      const disk = mkdtempSync(join(tmpdir(), "serac-small-"))
      closing.push(async () => void spawnSync("umount", ["--lazy", disk]))
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=16M,mode=777", "tmpfs", disk])
      const space = `small_${randomUUID().replaceAll("-", "")}`
      const chain = chainOf(4)
      const publisher = publish(chain, { url })
      await published(publisher, 4n)
      const folder = join(disk, "rows")
      execFileSync("install", ["-d", "-m", "700", "-o", "postgres", folder])
      await sql.unsafe(`create tablespace ${space} location '${folder}'`)
      closing.push(async () => {
        await publisher.stop()
        await sql`drop table serac.history`
        await sql.unsafe(`drop tablespace ${space}`)
      })
      await sql.unsafe(`alter table serac.history set tablespace ${space}`)
      const used = Number(execFileSync("du", ["-sk", disk]).toString().split("\t")[0])
      execFileSync("mount", ["-o", `remount,size=${used}k`, disk])
      acceptAll(chain.chain, longBlocks.slice(4))
      chain.chain.flush()
      publisher.wake()
      expect((await problemOf(publisher)).code).toBe("postgres.disk_full")
      expect([...(await sql`select height from serac.tip`)]).toEqual([{ height: 4n }])
      execFileSync("mount", ["-o", "remount,size=16M", disk])
      await new Promise<void>((resolve) => publisher.onChange(() => publisher.status.height === 60n && resolve()))
      expect([...(await sql`select count(*), max(height) from serac.blocks`)]).toEqual([{ count: 61n, max: 60n }])
    },
  )

  test("continues after its connection was closed during its work", async () => {
    const { url, sql } = await database()
    const publisher = publish(chainOf(12), { url, limits: { blocks: 1, size: 1 } })
    const done = new Promise<void>((resolve) => publisher.onChange(() => publisher.status.height === 12n && resolve()))
    for (let i = 0; i < 4; i++) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'serac publish'`
      await new Promise<void>((resolve) => {
        const unsubscribe = publisher.onChange(() => {
          unsubscribe()
          resolve()
        })
        if (publisher.status.height === 12n) resolve()
      })
    }
    await done
    expect([...(await sql`select count(*), max(height) from serac.blocks`)]).toEqual([{ count: 13n, max: 12n }])
  })

  test("another publisher takes over when the first one dies", async () => {
    const { url, sql } = await database()
    const first = publish(chainOf(6), { url })
    await published(first, 6n)
    const second = publish(chainOf(12), { url })
    await new Promise<void>((resolve) => second.onChange(() => second.status.phase === "waiting" && resolve()))
    expect([...(await sql`select height from serac.tip`)]).toEqual([{ height: 6n }])
    await first.stop()
    await published(second, 12n)
    expect([...(await sql`select count(*), max(height) from serac.blocks`)]).toEqual([{ count: 13n, max: 12n }])
  })

  test(
    "continues after the server was stopped and started again",
    needs(givenServer === undefined, "a PostgreSQL server that the tests start"),
    async () => {
      const server = await startPostgres()
      closing.push(() => server.remove())
      const chain = chainOf(4)
      const publisher = publish(chain, { url: server.url("postgres") })
      await published(publisher, 4n)
      await server.stop("SIGQUIT")
      acceptAll(chain.chain, blocks.slice(4))
      chain.chain.flush()
      publisher.wake()
      expect((await problemOf(publisher)).code).toBe("postgres.unreachable")
      await server.start()
      await new Promise<void>((resolve) => publisher.onChange(() => publisher.status.height === 12n && resolve()))
      const sql = await openDatabase(server.url("postgres"), { max: 1, name: "test" })
      expect([...(await sql`select count(*), max(height) from serac.blocks`)]).toEqual([{ count: 13n, max: 12n }])
      await sql.end()
    },
  )
})
