import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { subscribe } from "../../src/client/events/subscribe.js"
import { localEvents } from "../../src/devnet/localEvents.js"
import { blockFeed } from "../../src/services/events/blockFeed.js"
import { ChainModel } from "../fixtures/chainModel.js"
import { type CuttableServer, cuttableServer } from "../fixtures/cuttableServer.js"
import {
  type BackChain,
  following,
  type OpenClient,
  pageClient,
  shapes,
  sseClient,
  startWriter,
  watching,
  webSocketClient,
} from "../fixtures/goingBack.js"

let chain: BackChain
let proxy: CuttableServer
let events: ReturnType<typeof localEvents>
beforeAll(async () => {
  chain = await startWriter()
  proxy = await cuttableServer(chain.url)
  events = localEvents(blockFeed(chain.node.api.node, () => chain.node.api.contexts.open()))
})
afterAll(async () => {
  events.close()
  await proxy.close()
  await chain.node.stop()
})

const settled = async (model: ChainModel) => {
  const ids = chain.ids()
  await expect.poll(() => [model.torn, model.ids], { timeout: 20_000 }).toEqual([undefined, ids])
}

test.each(shapes)("the page shows what is left when the chain %s, and a page that was away, too", async (_shape, run) => {
  await chain.begin()
  const [stays, goes] = [pageClient(chain.url), pageClient(chain.url)]
  const [model, away] = [new ChainModel(), new ChainModel()]
  const client = await stays(model)
  const left = await goes(away)
  await settled(model)
  await settled(away)
  await left.stop()
  await run(chain)
  await settled(model)
  const back = await goes(away)
  await settled(away)
  await client.stop()
  await back.stop()
})

const clients: readonly (readonly [name: string, open: () => OpenClient])[] = [
  ["server-sent events", () => sseClient(chain.url)],
  ["a WebSocket", () => webSocketClient(chain.url)],
  ["subscribe", () => following((options) => subscribe(chain.url, options))],
  ["subscribe in the process", () => following(async (options) => events.subscribe(options))],
  ["serac watch", () => watching(chain.url, () => chain.grow(1))],
]

describe.each(clients)("%s", (_name, open) => {
  test.each(shapes)("tells a client that listens when the chain %s", async (_shape, run) => {
    await chain.begin()
    const model = new ChainModel()
    const client = await open()(model)
    await settled(model)
    await run(chain)
    await settled(model)
    await client.stop()
  })

  test.each(shapes)("tells a client that was away when the chain %s", async (_shape, run) => {
    await chain.begin()
    const model = new ChainModel(chain.ids())
    await run(chain)
    const common = model.ids.findLastIndex((id, height) => chain.ids()[height] === id)
    const [reverts, gone] = [
      common < model.ids.length - 1 ? [`${common}-${model.ids[common]}`] : [],
      model.ids.length - 1 - common,
    ]
    const client = await open()(model)
    await settled(model)
    expect([gone > 0, model.reverts]).toEqual([reverts.length > 0, reverts])
    await client.stop()
  })
})

test.each(shapes)("a subscription whose connection is cut is told when the chain %s", async (_shape, run) => {
  await chain.begin()
  const model = new ChainModel()
  const client = await following((options) => subscribe(proxy.url, options))(model)
  await settled(model)
  proxy.cut()
  await run(chain)
  await settled(model)
  await client.stop()
})
