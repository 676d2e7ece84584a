import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { main } from "../../src/cli/main.js"
import { subscribe } from "../../src/client/events/subscribe.js"
import type { SubscribeOptions, Subscription } from "../../src/client/events/subscription.js"
import { localEvents } from "../../src/devnet/localEvents.js"
import { EventReader } from "../../src/jsonrpc/events/eventReader.js"
import { NO_BLOCKS, withEvents } from "../../src/page/data/recentBlocks.js"
import { blockFeed } from "../../src/services/events/blockFeed.js"
import { ChainModel } from "../fixtures/chainModel.js"
import { type CuttableServer, cuttableServer } from "../fixtures/cuttableServer.js"
import { type BackChain, type OpenClient, shapes, sseClient, startWriter, webSocketClient } from "../fixtures/goingBack.js"

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

const optionsOf = ({ position }: ChainModel): SubscribeOptions => (position === "" ? { from: 0 } : { after: position })

/** Follows a subscription until it ends. */
const following =
  (open: (options: SubscribeOptions) => Promise<Subscription>): OpenClient =>
  async (model) => {
    const subscription = await open(optionsOf(model))
    const ended = (async () => {
      for await (const event of subscription) model.take(event)
    })()
    const stop = () => {
      subscription.close()
      return ended
    }
    return { stop }
  }

/** Runs `serac watch` until a print fails. */
const watching: OpenClient = (model) => {
  let isStopped = false
  const start = model.position === "" ? ["--from", "0"] : ["--after", model.position]
  const ended = main(["watch", "--url", chain.url, "--json", ...start], {
    stdin: process.stdin,
    env: {},
    columns: undefined,
    now: Date.now,
    note: () => {},
    async print(line) {
      if (isStopped) throw new Error("stopped")
      model.take(JSON.parse(String(line)))
    },
  }).catch(() => {})
  return {
    async stop() {
      isStopped = true
      await chain.grow(1)
      await ended
    },
  }
}

const settled = async (model: ChainModel) => {
  const ids = chain.ids()
  await expect.poll(() => [model.torn, model.ids], { timeout: 20_000 }).toEqual([undefined, ids])
}

/** Shows the blocks as the page does, without a browser. */
const pageClient: OpenClient = async (model) => {
  let known = NO_BLOCKS
  const take = (name: string, data: string) => {
    known = withEvents(known, [{ name, data }])
    model.ids.splice(0, model.ids.length, ...known.blocks.map(({ id }) => id).reverse())
  }
  const controller = new AbortController()
  const response = await fetch(`${chain.url}/ext/bc/P/events?from=0`, { signal: controller.signal })
  const ended = (async () => {
    const reader = new EventReader()
    for await (const bytes of response.body ?? []) for (const { name, data } of reader.push(bytes)) take(name, data)
  })().catch(() => {})
  const stop = () => {
    controller.abort()
    return ended
  }
  return { stop }
}

test.each(shapes)("the page shows what is left when the chain %s", async (_shape, run) => {
  await chain.begin()
  const model = new ChainModel()
  const client = await pageClient(model)
  await settled(model)
  await run(chain)
  await settled(model)
  await client.stop()
})

const clients: readonly (readonly [name: string, open: () => OpenClient])[] = [
  ["server-sent events", () => sseClient(chain.url)],
  ["a WebSocket", () => webSocketClient(chain.url)],
  ["subscribe", () => following((options) => subscribe(chain.url, options))],
  ["subscribe in the process", () => following(async (options) => events.subscribe(options))],
  ["serac watch", () => watching],
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
