import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { Chain } from "../../src/core/chain/chain.js"
import { silentLog } from "../../src/core/lib/log.js"
import { project } from "../../src/core/readmodel/fold.js"
import type { Node } from "../../src/node/node.js"
import { openDatabase } from "../../src/postgres/connection.js"
import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { startPostgres } from "../fixtures/postgresServer.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"
import { ask, caughtUp, startReader } from "../fixtures/readServer.js"

/** The heights of the first blocks that a stream of the whole history sends. */
async function eventHeights({ listening }: Node, count: number): Promise<string[]> {
  const response = await fetch(`${listening?.url}/ext/bc/P/events?from=0`)
  let text = ""
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const heights = [...text.matchAll(/^id: (\d+)-/gm)].map(([, height]) => height as string)
    if (heights.length >= count) return heights.slice(0, count)
  }
  throw new Error(`the stream ended after ${text.length} characters`)
}

describe("a read server", needsPostgres, () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  const emptyDatabase = async () => {
    const database = await newDatabase()
    closing.push(() => database.close())
    return database
  }

  /** A published chain of `blocks` blocks; the other blocks can follow. */
  async function publishedChain(url: string, blocks: number, options: { snapshotEvery?: number; canRevert?: boolean } = {}) {
    const made = openTestChain()
    const rest = longChain(localNetwork(), blocks + 10)[Symbol.iterator]()
    const next = (count: number) => Array.from({ length: count }, () => rest.next().value!)
    acceptAll(made.chain, next(blocks))
    made.chain.flush()
    const publisher = startPublisher(made, { url, ...options })
    closing.push(() => publisher.stop())
    await published(publisher, BigInt(blocks))
    return { ...made, publisher, next }
  }

  const reader = async (url: string) => {
    const server = await startReader(url)
    closing.push(() => server.stop())
    return server
  }

  test("answers about the current state and the past, follows new blocks, and follows a revert of the chain", async () => {
    const { url } = await emptyDatabase()
    const { store, data, chain, publisher, next } = await publishedChain(url, 20, { canRevert: true })
    const server = await reader(url)
    await caughtUp(server, 20n)
    expect(await ask(server, "platform.getHeight")).toMatchObject({
      status: 200,
      height: "20",
      body: { result: { height: "20" } },
    })
    const { body } = await ask(server, "platform.getBlockByHeight", { height: "7", encoding: "hex" })
    expect(body.result.block).toMatch(/^0x/)
    expect(await eventHeights(server, 5)).toEqual(["0", "1", "2", "3", "4"])
    const mark = store.snapshot()
    const blocks = next(5)
    acceptAll(chain, blocks)
    chain.flush()
    publisher.wake()
    await caughtUp(server, 25n)
    store.revert(mark)
    publisher.wake()
    await published(publisher, 20n)
    while ((await ask(server, "platform.getHeight")).body.result?.height !== "20") await new Promise(setImmediate)
    const again = new Chain({ rules: data.rules, state: store, project })
    acceptAll(again, blocks.slice(0, 2))
    again.flush()
    publisher.wake()
    await caughtUp(server, 22n)
  })

  test("needs the rights that docs/serving.md gives to its role, and no others", async () => {
    const { url, sql } = await emptyDatabase()
    const [role, owner] = ["reader", "owner"].map((name) => `${name}_${randomUUID().replaceAll("-", "")}`) as [string, string]
    const urlOf = (username: string) => Object.assign(new URL(url), { username, password: "secret" }).href
    const blocks = [...readFileSync("docs/serving.md", "utf8").matchAll(/```sql\n([^`]*)```/g)]
    const [creating, granting] = blocks.map(([, block]) => (block as string).replaceAll("reader", role)) as [string, string]
    // The publisher's role has no more rights than it needs.
    const [{ name } = {}] = await sql`select current_database() as name`
    await sql.unsafe(`create role ${owner} login password 'secret'; grant create on database ${name} to ${owner}`)
    await publishedChain(urlOf(owner), 5)
    await sql.unsafe(creating)
    const own = await openDatabase(urlOf(owner), { max: 1, name: "owner", onClose() {} })
    closing.push(async () => void (await sql.unsafe(`drop owned by ${role}, ${owner} cascade; drop role ${role}, ${owner}`)))
    closing.push(() => own.end())
    await own.unsafe(granting)
    const server = await reader(urlOf(role))
    await caughtUp(server, 5n)
    expect((await ask(server, "platform.getBlockByHeight", { height: "3" })).status).toBe(200)
    await own`create table serac.later (n int)`
    const [right] =
      await sql`select has_table_privilege(${role}, 'serac.later', 'select') as reads, has_table_privilege(${role}, 'serac.blocks', 'insert') as writes`
    expect(right).toEqual({ reads: true, writes: false })
  })

  test("goes on after a fault while it executes a block, which is counted", async () => {
    const { url } = await emptyDatabase()
    const { chain, publisher, next } = await publishedChain(url, 5)
    const server = await reader(url)
    await caughtUp(server, 5n)
    const { flush } = Chain.prototype
    let faults = 0
    const spy = vi.spyOn(Chain.prototype, "flush").mockImplementation(function (this: Chain) {
      if (this !== chain && faults++ === 0) throw new Error("a fault in a block")
      flush.call(this)
    })
    onTestFinished(() => spy.mockRestore())
    acceptAll(chain, next(1))
    chain.flush()
    publisher.wake()
    await caughtUp(server, 6n)
    expect(server.api.metrics.print()).toContain("serac_faults_total 1\n")
  })

  test("starts from a snapshot, and ignores one that was changed", async () => {
    const { url, sql } = await emptyDatabase()
    const { publisher } = await publishedChain(url, 20, { snapshotEvery: 10 })
    const pieces = async () => Number((await sql`select count(*) from serac.snapshots where height = 20`)[0]?.count)
    while ((await pieces()) === 0) await new Promise(setImmediate)
    await publisher.stop()
    // Without its first blocks the chain cannot be executed from genesis.
    const early = await sql`delete from serac.blocks where height between 1 and 10 returning *`
    await caughtUp(await reader(url), 20n)
    await sql`insert into serac.blocks ${sql([...early])}`
    await sql`update serac.snapshots set bytes = overlay(bytes placing '\\x00' from 30) where piece = 2`
    await caughtUp(await reader(url), 20n)
  })

  test("reads no piece of a snapshot that is too long, and names a tip to which no blocks lead", async () => {
    const { url, sql } = await emptyDatabase()
    const { publisher } = await publishedChain(url, 20, { snapshotEvery: 10 })
    const pieces = async () => Number((await sql`select count(*) from serac.snapshots where height = 20`)[0]?.count)
    while ((await pieces()) === 0) await new Promise(setImmediate)
    await publisher.stop()
    const lines: unknown[] = []
    const note = (event: string, { reason, code }: Record<string, unknown> = {}) => {
      if (reason !== undefined) lines.push([event, code, reason])
    }
    const log = { ...silentLog, warn: note, error: note }
    const readerWithLog = async () => {
      const server = await startReader(url, "contract", log)
      closing.push(() => server.stop())
      return server
    }
    await sql`update serac.snapshots set bytes = decode(repeat('00', 16777217), 'hex') where piece = 2`
    await caughtUp(await readerWithLog(), 20n)
    await sql`update serac.snapshots set bytes = decode(repeat('00', 4097), 'hex') where piece = 0`
    await sql`update serac.tip set block_id = 'nobody'`
    await readerWithLog()
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3)
    const passed = (reason: string) => ["a snapshot was passed over", undefined, expect.stringContaining(reason)]
    expect(lines.slice(0, 3)).toEqual([
      passed("piece 2 has 16777217 bytes, and at most 16777216 are read"),
      passed("its first piece is too long"),
      passed("its first piece is too long"),
    ])
    await expect
      .poll(() => lines.find((line) => (line as string[])[0] === "the database cannot be read"), { timeout: 20_000 })
      .toMatchObject(["the database cannot be read", "postgres.bad_tip", expect.stringContaining("do not lead to its tip")])
  })

  test("refuses a database that it cannot read, by name", async () => {
    const { url, sql } = await emptyDatabase()
    await expect(startReader("mysql://x/y")).rejects.toMatchObject({ code: "postgres.bad_url" })
    await expect(startReader(url)).rejects.toMatchObject({ code: "postgres.no_chain" })
    await expect(startReader(url.replace(/:[^:@/]+@/, ":wrong@"))).rejects.toMatchObject({ code: "postgres.login" })
    await expect(startReader(`${url}_other`)).rejects.toMatchObject({ code: "postgres.no_database" })
    await publishedChain(url, 1)
    await sql`update serac.schema_version set version = 1000000`
    await expect(startReader(url)).rejects.toMatchObject({ code: "postgres.newer_schema" })
  })

  test("answers calls about the current state while the database is stopped, and continues when it runs again", async () => {
    const server = await startPostgres()
    closing.push(() => server.remove())
    const { chain, publisher, next } = await publishedChain(server.url("postgres"), 10)
    const reads = await reader(server.url("postgres"))
    await caughtUp(reads, 10n)
    await server.stop("SIGQUIT")
    expect(await ask(reads, "platform.getHeight")).toMatchObject({ status: 200, body: { result: { height: "10" } } })
    const history = await ask(reads, "platform.getBlockByHeight", { height: "3", encoding: "hex" })
    expect(history).toMatchObject({ status: 503, body: { error: { data: { code: "postgres.history_unavailable" } } } })
    await server.start()
    acceptAll(chain, next(1))
    chain.flush()
    publisher.wake()
    await caughtUp(reads, 11n)
    expect(await ask(reads, "platform.getBlockByHeight", { height: "3", encoding: "hex" })).toMatchObject({ status: 200 })
  })
})
