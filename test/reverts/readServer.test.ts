import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import type { Node } from "../../src/node/node.js"
import { ReadChain } from "../../src/sources/postgres/readChain.js"
import { ChainModel } from "../fixtures/chainModel.js"
import { type CuttableServer, cuttableServer } from "../fixtures/cuttableServer.js"
import { type BackChain, shapes, sseClient, startWriter } from "../fixtures/goingBack.js"
import { needsPostgres, newDatabase, type TestDatabase } from "../fixtures/postgres.js"
import { startReader } from "../fixtures/readServer.js"

describe("a read server", needsPostgres, () => {
  let database: TestDatabase
  let proxy: CuttableServer
  let chain: BackChain
  let reader: Node
  beforeAll(async () => {
    database = await newDatabase()
    proxy = await cuttableServer(database.url)
    chain = await startWriter({ publish: database.url })
    await published()
    reader = await startReader(proxy.url)
  })
  afterAll(async () => {
    await reader?.stop()
    await chain?.node.stop()
    await proxy?.close()
    await database?.close()
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  /** Resolves when the tip of the database is that of the chain. */
  const published = () =>
    vi.waitFor(
      async () => {
        const [tip] = await database.sql<{ block_id: string }[]>`select block_id from serac.tip`
        expect(tip?.block_id).toBe(chain.ids().at(-1))
      },
      { timeout: 20_000 },
    )

  const url = () => reader.listening?.url as string
  const settled = async (model: ChainModel) => {
    const ids = chain.ids()
    await expect.poll(() => [model.torn, model.ids], { timeout: 30_000 }).toEqual([undefined, ids])
  }
  const isHealthy = () => fetch(`${url()}/ext/health`).then(({ status }) => status === 200)

  /** Begins the chain, with a client that has all of it. */
  async function listening(): Promise<{ model: ChainModel; stop(): void }> {
    await chain.begin()
    const model = new ChainModel()
    const client = await sseClient(url())(model)
    await settled(model)
    return { model, stop: () => client.stop() }
  }

  test.each(shapes)("tells a client that listens when the chain %s", async (_shape, run) => {
    const { model, stop } = await listening()
    await run(chain)
    await settled(model)
    stop()
  })

  test.each(shapes)("looks once after the chain %s, and names the last common block", async (_shape, run) => {
    const { model, stop } = await listening()
    let look = () => {}
    const looks = new Promise<void>((resolve) => {
      look = resolve
    })
    const { catchUp } = ReadChain.prototype
    vi.spyOn(ReadChain.prototype, "catchUp").mockImplementation(async function (this: ReadChain) {
      await looks
      return catchUp.call(this)
    })
    // The look that is in progress may still see what comes first.
    await expect.poll(() => vi.mocked(ReadChain.prototype.catchUp).mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(0)
    const before = [...model.ids]
    const told = model.reverts.length
    await run(chain)
    await published()
    const common = before.findLastIndex((id, height) => chain.ids()[height] === id)
    look()
    await settled(model)
    expect(model.reverts.slice(told)).toEqual(common < before.length - 1 ? [`${common}-${before[common]}`] : [])
    stop()
  })

  test.each(shapes)("tells a client that was away when the chain %s", async (_shape, run) => {
    const { model, stop } = await listening()
    stop()
    await run(chain)
    const other = new ChainModel()
    const follows = await sseClient(url())(other)
    await settled(other)
    const common = model.ids.findLastIndex((id, height) => chain.ids()[height] === id)
    const reverts = [...model.reverts, ...(common < model.ids.length - 1 ? [`${common}-${model.ids[common]}`] : [])]
    const client = await sseClient(url())(model)
    await settled(model)
    expect(model.reverts).toEqual(reverts)
    client.stop()
    follows.stop()
  })

  test.each(shapes)("that was started later tells a client what is gone when the chain %s", async (_shape, run) => {
    await chain.begin()
    await published()
    const model = new ChainModel(chain.ids())
    const before = [...model.ids]
    await run(chain)
    await published()
    const later = await startReader(database.url)
    const client = await sseClient(later.listening?.url as string)(model)
    await settled(model)
    const common = before.findLastIndex((id, height) => chain.ids()[height] === id)
    const isBack = common < before.length - 1
    expect([model.reverts, model.removed]).toEqual(
      isBack ? [[`${common}-${before[common]}`], [before.slice(common + 1)]] : [[], []],
    )
    client.stop()
    await later.stop()
  })

  test.each(shapes)(
    "tells it if the publisher was held back while the chain %s, and then was reverted again",
    async (_shape, run) => {
      const { model, stop } = await listening()
      const told = model.reverts.length
      const before = [...model.ids]
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const holding = database.sql.begin(async (sql) => {
        await sql`select 1 from serac.tip for update`
        await run(chain)
        await chain.dev.reset()
        await chain.grow(2)
        release()
      })
      await held
      await holding
      await settled(model)
      // The publisher may have found the first revert before it was held back.
      expect(model.reverts.slice(told)).toContain(`0-${before[0]}`)
      expect(model.removed.slice(told)).not.toContain(undefined)
      stop()
    },
  )

  test.each(shapes)(
    "tells it also if the database fails while the chain %s, and is not healthy until then",
    async (_shape, run) => {
      const { model, stop } = await listening()
      const restore = vi.spyOn(ReadChain.prototype, "restore").mockRejectedValueOnce(new Error("the connection was lost"))
      await run(chain)
      await settled(model)
      await expect.poll(isHealthy, { timeout: 20_000 }).toBe(true)
      restore.mockRestore()
      stop()
    },
  )

  test.each([1, 40, 90, 160, 260, 400, 600, 900, 1400])(
    "tells a revert although its connections are cut after %i bytes",
    async (bytes) => {
      const { model, stop } = await listening()
      void proxy.cutAfter(bytes)
      await chain.backTo(2)
      await chain.grow(2)
      await settled(model)
      await expect.poll(isHealthy, { timeout: 20_000 }).toBe(true)
      stop()
    },
  )

  test("is not healthy, and answers 503, while it knows of a revert that it cannot follow", async () => {
    const { model, stop } = await listening()
    let fails = true
    const { restore } = ReadChain.prototype
    vi.spyOn(ReadChain.prototype, "restore").mockImplementation(function (this: ReadChain) {
      return fails ? Promise.reject(new Error("the connection was lost")) : restore.call(this)
    })
    await chain.dev.reset()
    await expect.poll(isHealthy, { timeout: 20_000 }).toBe(false)
    const ask = { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}' }
    expect((await fetch(`${url()}/ext/bc/P`, { ...ask, headers: { "content-type": "application/json" } })).status).toBe(503)
    fails = false
    await settled(model)
    expect(model.reverts.at(-1)).toBe(`0-${chain.ids()[0]}`)
    stop()
  })
})
