import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { hashedTables } from "../../src/core/state/tables.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { devTables } from "../../src/producer/tables.js"
import { LmdbStore } from "../../src/store/lmdb/lmdbStore.js"
import { stateHash } from "../../src/store/maintenance/stateHash.js"
import { ChainModel } from "../fixtures/chainModel.js"
import { cuttableServer } from "../fixtures/cuttableServer.js"
import { sseClient } from "../fixtures/goingBack.js"
import { run } from "../terminal.js"
import { factsOf } from "./factsOf.js"
import { likeAvalancheGo, startCopy, startTestProxy, type TestCopy } from "./followNodes.js"

const folder = mkdtempSync(join(tmpdir(), "serac-copies-go-back-"))
const source = join(folder, "source")
let devnet: Devnet
let count = 0

beforeAll(async () => {
  devnet = await startDevnet({ dataDir: source, startTime: 1_900_000_000n, freezeTime: true })
})
afterAll(async () => {
  await devnet.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => devnet.dev.reset())

const newDir = () => join(folder, `copy-${++count}`)
const pay = () => devnet.dev.fund({ address: devnet.keys[3]!.address, amount: String(1_000_000 + ++count) })
const credit = () => devnet.dev.creditAtomic({ address: devnet.keys[2]!.address, amount: String(++count), sourceChain: "X" })
const checkOf = (copy: TestCopy, name: "follow" | "continues") =>
  (copy.api.health.report(name === "follow" ? "health" : "readiness", []).checks as Record<string, { error?: string }>)[name]
    ?.error

/** Waits until a copy has the state of its source, and is healthy. */
async function agrees(copy: TestCopy): Promise<void> {
  const { hash, overrides } = await factsOf(source)
  const own = () => {
    const { context, release } = leaseOf(copy)
    try {
      return [stateHash(context.view, hashedTables), [...context.view.rows(devTables.overrides)], checkOf(copy, "follow")]
    } finally {
      release()
    }
  }
  await expect.poll(own, { timeout: 20_000 }).toEqual([hash, overrides, undefined])
}

function leaseOf(copy: TestCopy) {
  const lease = copy.api.contexts.open()
  return { context: lease.context, release: () => lease.release() }
}

/** Expects that a directory is whole: every block is executed again, and all rows are compared. */
async function expectWhole(dir: string): Promise<void> {
  expect(await run(["state", "--data-dir", dir, "--check", "--deep"])).toMatchObject({ code: 0 })
}

/** Ways of a chain with overrides. The copy has the state after the first function before the second one is called. */
const ways: readonly (readonly [name: string, start: () => Promise<unknown>, go: (id: number) => Promise<unknown>])[] = [
  ["only overrides are gone", credit, (id) => devnet.dev.revert({ id })],
  ["an override is replaced", credit, (id) => devnet.dev.revert({ id }).then(credit)],
  ["an override goes and its block comes again", () => credit().then(mine), (id) => devnet.dev.revert({ id }).then(mine)],
  ["blocks and overrides go", () => pay().then(credit).then(pay), (id) => devnet.dev.revert({ id }).then(pay).then(credit)],
  ["all is reset", () => credit().then(pay), () => devnet.dev.reset().then(pay)],
]

const mine = () => devnet.dev.mine({ blocks: 1, filler: true })

describe("a copy has the state of its source, and all rows of the history,", () => {
  test.each(ways)("after %s", async (_name, start, go) => {
    const dir = newDir()
    await credit()
    await pay()
    const { id } = await devnet.dev.snapshot()
    {
      await using copy = await startCopy([devnet.url], dir)
      await start()
      await agrees(copy)
      await go(id)
      await agrees(copy)
    }
    await expectWhole(dir)
    expect(await factsOf(dir)).toEqual(await factsOf(source))
  })

  test.each(ways)("if it was stopped while %s", async (_name, start, go) => {
    const dir = newDir()
    await credit()
    await pay()
    const { id } = await devnet.dev.snapshot()
    await start()
    {
      await using copy = await startCopy([devnet.url], dir)
      await agrees(copy)
    }
    await go(id)
    {
      await using copy = await startCopy([devnet.url], dir)
      await agrees(copy)
    }
    await expectWhole(dir)
    expect(await factsOf(dir)).toEqual(await factsOf(source))
  })
})

/** A copy with a client that has all of its blocks. */
async function listenedCopy(urls: readonly string[], dir: string) {
  const copy = await startCopy(urls, dir, { http: { port: 0, hasPage: false } })
  const model = new ChainModel()
  const client = await sseClient(copy.listening!.url)(model)
  const hasAll = async () => {
    const { height } = await devnet.dev.status()
    const { block } = (await devnet.rpc("platform.getBlockByHeight", { height, encoding: "json" })) as { block: { id: string } }
    await expect.poll(() => [model.torn, model.position], { timeout: 20_000 }).toEqual([undefined, `${height}-${block.id}`])
  }
  await hasAll()
  const end = async () => {
    await client.stop()
    await copy.stop()
  }
  return { copy, model, hasAll, [Symbol.asyncDispose]: end }
}

test("a copy that has to execute blocks again tells the last common block and nothing before it", async () => {
  const dir = newDir()
  for (let i = 0; i < 30; i++) await pay()
  const { id, height } = await devnet.dev.snapshot()
  await pay()
  // The copy has marked no state between genesis and its last block, because it was started anew.
  await (await listenedCopy([devnet.url], dir))[Symbol.asyncDispose]()
  await using copied = await listenedCopy([devnet.url], dir)
  await devnet.dev.revert({ id })
  await pay()
  await copied.hasAll()
  expect(copied.model.reverts).toEqual([`${height}-${copied.model.ids[Number(height)]}`])
})

test("a copy whose store refuses to go back is not healthy, and goes back when the store is written again", async () => {
  const dir = newDir()
  const { id } = await devnet.dev.snapshot()
  await pay()
  await using copied = await listenedCopy([devnet.url], dir)
  const { revert } = LmdbStore.prototype
  let fails = true
  const spy = vi.spyOn(LmdbStore.prototype, "revert").mockImplementation(function (this: LmdbStore, ...given) {
    if (fails && this.getMeta("identity")?.includes("followed")) throw new Error("the disk cannot be written")
    return revert.apply(this, given)
  })
  await devnet.dev.revert({ id })
  await expect.poll(() => checkOf(copied.copy, "follow"), { timeout: 20_000 }).toBeDefined()
  fails = false
  await copied.hasAll()
  await expect.poll(() => checkOf(copied.copy, "follow"), { timeout: 20_000 }).toBeUndefined()
  spy.mockRestore()
})

test.each([1, 200, 500, 900, 1400, 2000, 2600, 3300])(
  "a copy goes back although its connections are cut after %i bytes",
  async (bytes) => {
    const proxy = await cuttableServer(devnet.url)
    const dir = newDir()
    await pay()
    const { id } = await devnet.dev.snapshot()
    await pay()
    await pay()
    {
      await using copied = await listenedCopy([new URL(proxy.url).origin], dir)
      void proxy.cutAfter(bytes)
      await devnet.dev.revert({ id })
      await pay()
      await copied.hasAll()
      await agrees(copied.copy)
    }
    await proxy.close()
  },
)

test("a copy of two nodes goes back when both have gone back, and names them until then", async () => {
  const dir = newDir()
  const { id } = await devnet.dev.snapshot()
  await pay()
  const { height } = await devnet.dev.status()
  const last = await devnet.rpc("platform.getBlockByHeight", { height, encoding: "hex" })
  // The second node answers as if it had not gone back yet.
  let isLagging = false
  await using lagging = await startTestProxy(devnet.url, ({ path, body }, response) => {
    const result = body.includes("getHeight")
      ? { height: String(height) }
      : body.includes(`"height":"${height}"`)
        ? last
        : undefined
    if (path.includes("/blocks?")) response.destroy()
    else if (isLagging && result) response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }))
    else return "pass"
    return "done"
  })
  await using copied = await listenedCopy([devnet.url, lagging.url], dir)
  const before = copied.model.position
  isLagging = true
  await devnet.dev.revert({ id })
  await expect.poll(() => checkOf(copied.copy, "follow"), { timeout: 20_000 }).toMatch(/different blocks at one height/)
  expect([copied.model.position, copied.model.reverts]).toEqual([before, []])
  isLagging = false
  await copied.hasAll()
  await agrees(copied.copy)
})

test.each([
  ["to a lower height", async (id: number) => void (await devnet.dev.revert({ id }))],
  ["to the same height", async (id: number) => void (await devnet.dev.revert({ id }).then(pay))],
  ["and above", async (id: number) => void (await devnet.dev.revert({ id }).then(pay).then(pay))],
])("a copy of a node that gives blocks by height keeps them if the chain goes back %s, and says so", async (_name, goBack) => {
  await using proxy = await startTestProxy(devnet.url, likeAvalancheGo)
  const dir = newDir()
  const { id } = await devnet.dev.snapshot()
  await pay()
  {
    await using copy = await startCopy([devnet.url], dir)
    await agrees(copy)
  }
  const facts = await factsOf(dir)
  {
    await using copy = await startCopy([proxy.url], dir)
    await expect.poll(() => checkOf(copy, "follow"), { timeout: 20_000 }).toBeUndefined()
    await goBack(id)
    await expect
      .poll(() => checkOf(copy, "follow"), { timeout: 20_000 })
      .toMatch(/is at an earlier height than the copy|differs from the one the store has/)
    expect(checkOf(copy, "continues")).toBe(checkOf(copy, "follow"))
  }
  expect(await factsOf(dir)).toEqual(facts)
})

test("a copy does not go back for a node that has another private chain", async () => {
  const dir = newDir()
  await pay()
  {
    await using copy = await startCopy([devnet.url], dir)
    await agrees(copy)
  }
  const facts = await factsOf(dir)
  {
    await using other = await startDevnet({ startTime: 1_900_000_000n, freezeTime: true })
    await using copy = await startCopy([other.url], dir)
    await expect.poll(() => checkOf(copy, "continues"), { timeout: 20_000 }).toMatch(/another chain than the copy/)
  }
  expect(await factsOf(dir)).toEqual(facts)
})
