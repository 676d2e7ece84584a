import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { silentLog } from "../../src/core/lib/log.js"
import { type Node, startNode } from "../../src/node/node.js"
import { servedNodeChain } from "../../src/sources/served/serve.js"
import { SCHEMA } from "../../src/store/meta.js"
import { ChainModel } from "../fixtures/chainModel.js"
import { type BackChain, shapes, sseClient, startWriter } from "../fixtures/goingBack.js"

describe("a server of a directory that another process extends", () => {
  let chain: BackChain
  let looks: () => void
  let servers: readonly Node[]
  beforeAll(async () => {
    chain = await startWriter()
    chain.store.putMeta({ schema: SCHEMA })
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    // As with --processes, two servers follow the store on their own.
    servers = await Promise.all([serve(), serve()])
    looks = () => void vi.advanceTimersByTime(25)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  afterAll(async () => {
    for (const server of servers ?? []) await server.stop()
    await chain?.node.stop()
    vi.useRealTimers()
  })

  /** Starts a server that looks at the store when the timers are moved, or when it is asked. */
  const serve = () =>
    startNode(
      withoutClose(chain.store),
      {
        isPublic: true,
        dialect: "contract" as const,
        http: { port: 0, hasPage: false },
        log: silentLog,
        wall: () => Date.now(),
        reader: { isSignedIn: true },
      },
      servedNodeChain,
    )

  const settled = async (model: ChainModel, ids = chain.ids()) => {
    await vi.waitFor(
      () => {
        looks()
        expect([model.torn, model.ids]).toEqual([undefined, ids])
      },
      { timeout: 20_000, interval: 10 },
    )
  }

  describe.each([0, 1])("process %i", (number) => {
    const url = () => servers[number]?.listening?.url as string

    test.each(shapes)("looks once after the chain %s, and names the last common block", async (_shape, run) => {
      await chain.begin()
      const model = new ChainModel()
      const client = await sseClient(url())(model)
      await settled(model)
      const before = [...model.ids]
      const told = model.reverts.length
      await run(chain)
      await settled(model)
      const common = before.findLastIndex((id, height) => chain.ids()[height] === id)
      expect(model.reverts.slice(told)).toEqual(common < before.length - 1 ? [`${common}-${before[common]}`] : [])
      await client.stop()
    })

    test.each(shapes)("tells a client that was away when the chain %s", async (_shape, run) => {
      await chain.begin()
      const model = new ChainModel(chain.ids())
      const before = [...model.ids]
      await run(chain)
      const client = await sseClient(url())(model)
      await settled(model)
      const common = before.findLastIndex((id, height) => chain.ids()[height] === id)
      expect(model.reverts).toEqual(common < before.length - 1 ? [`${common}-${before[common]}`] : [])
      await client.stop()
    })

    test("tells a revert that it could not read at first, and is not healthy until then", async () => {
      await chain.begin()
      const model = new ChainModel()
      const client = await sseClient(url())(model)
      await settled(model)
      const isHealthy = async () => (await fetch(`${url()}/ext/health`)).status === 200
      const view = vi.spyOn(chain.store, "view").mockImplementation(() => {
        throw new Error("the disk cannot be read")
      })
      await chain.backTo(2)
      await vi.waitFor(async () => {
        looks()
        expect(await isHealthy()).toBe(false)
      })
      view.mockRestore()
      await settled(model)
      expect(model.reverts.at(-1)).toBe(`2-${chain.ids()[2]}`)
      await vi.waitFor(async () => {
        looks()
        expect(await isHealthy()).toBe(true)
      })
      await client.stop()
    })
  })
})

/** Returns a store that a server can end without closing it. */
const withoutClose = (store: BackChain["store"]): BackChain["store"] =>
  new Proxy(store, {
    get(target, name) {
      if (name === "close") return async () => {}
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
