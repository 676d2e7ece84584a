import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { subscribe } from "../../src/client/events/subscribe.js"
import { ChainModel } from "../fixtures/chainModel.js"
import { type CuttableServer, cuttableServer } from "../fixtures/cuttableServer.js"
import {
  type BackChain,
  following,
  type OpenClient,
  returning,
  shapes,
  sseClient,
  startWriter,
  watching,
  webSocketClient,
} from "../fixtures/goingBack.js"
import { isSoak } from "../fuzz/random.js"

let chain: BackChain
let proxy: CuttableServer
beforeAll(async () => {
  chain = await startWriter()
  proxy = await cuttableServer(chain.url)
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await proxy.close()
  await chain.node.stop()
})

const settled = async (model: ChainModel) => {
  const ids = chain.ids()
  await expect.poll(() => [model.torn, model.ids], { timeout: 20_000 }).toEqual([undefined, ids])
}

/** The URL without the slash at its end, to which clients add their paths. */
const urlOf = ({ url }: CuttableServer) => url.replace(/\/$/, "")

/** Clients that come back when their stream ends. */
const clients: readonly (readonly [name: string, open: () => OpenClient])[] = [
  ["server-sent events", () => returning(sseClient(urlOf(proxy)))],
  ["a WebSocket", () => returning(webSocketClient(urlOf(proxy)))],
  ["subscribe", () => following((options) => subscribe(urlOf(proxy), options))],
  ["serac watch", () => watching(urlOf(proxy), () => chain.grow(1))],
]

/** The bytes after which a connection is cut: in the head of an answer, in an event, between events, and in the middle of a revert. */
const CUTS = [1, 60, 250, 700, 1500]

/** All of some steps in a soak, and otherwise one of them for each shape. */
const stepsOf = <T>(steps: readonly T[], shape: string): readonly T[] =>
  isSoak ? steps : [steps[shapes.findIndex(([name]) => name === shape) % steps.length] as T]

describe.each(clients)("%s", (_name, open) => {
  test.each(shapes)("tells it although the connection is cut at each step while the chain %s", async (shape, run) => {
    for (const bytes of stepsOf(CUTS, shape)) {
      await chain.begin()
      const model = new ChainModel()
      const client = await open()(model)
      await settled(model)
      const cut = proxy.cutAfter(bytes, "received")
      await run(chain)
      // There may be less to tell than is due until the cut: more blocks follow.
      for (let isCut = false; !isCut; await chain.grow(1))
        isCut = await Promise.race([cut.then(() => true), settled(model).then(() => false)])
      await settled(model)
      await client.stop()
    }
  })

  test.each(shapes)("tells it although the store cannot be read at each step while the chain %s", async (shape, run) => {
    for (const reads of stepsOf([1, 2, 3, 5], shape)) {
      await chain.begin()
      const model = new ChainModel()
      const client = await open()(model)
      await settled(model)
      const { contexts } = chain.node.api
      const opened = contexts.open.bind(contexts)
      let left = reads
      vi.spyOn(contexts, "open").mockImplementation(() => {
        if (--left === 0) throw new Error("the store cannot be read")
        return opened()
      })
      await run(chain)
      for (; left > 0; await chain.grow(1)) await settled(model)
      await settled(model)
      vi.restoreAllMocks()
      await client.stop()
    }
  })
})
