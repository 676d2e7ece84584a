import { afterAll, beforeAll, expect, test } from "vitest"
import { startTestProxy } from "../../../test/sync/followNodes.js"
import { type Devnet, startDevnet } from "../../devnet/devnet.js"
import type { ChainEvent } from "./chainEvent.js"
import { subscribe } from "./subscribe.js"
import type { SubscribeOptions, Subscription } from "./subscription.js"

const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const OTHER = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ accounts: 0, startTime: 1_900_000_000n, freezeTime: true })
})
afterAll(() => devnet.stop())

const fund = (address: string) => devnet.dev.fund({ address, amount: 1_000_000_000n })

/** Takes this many blocks, and leaves. */
async function take(events: Subscription, blocks: number): Promise<ChainEvent[]> {
  const taken: ChainEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (event.event !== "tx" && --blocks === 0) break
  }
  return taken
}

const ways: [string, (options?: SubscribeOptions) => Promise<Subscription>][] = [
  ["in the process", (options) => devnet.subscribe(options)],
  ["over HTTP", (options) => subscribe(devnet.url, options)],
]

test.each(ways)("%s the transactions and blocks come in order, with typed members", async (_way, open) => {
  const events = await open()
  const { txID } = await fund(FRIEND)
  const { height, blockID, effect } = await devnet.rpc("platform.getTxInfo", { txID: txID as string })
  const { block } = await devnet.rpc("platform.getBlockByHeight", { height: height as bigint, encoding: "json" })
  const timestamp = "2030-03-17T17:46:40Z"
  expect(await take(events, 1)).toEqual([
    { event: "tx", txID, kind: "BaseTx", status: "Committed", height, blockID, timestamp, effect },
    {
      event: "block",
      height,
      id: blockID,
      parentID: (block as { parentID: string }).parentID,
      kind: "BanffStandardBlock",
      timestamp,
      txs: [txID],
      gasPrice: expect.any(BigInt),
      validatorPrice: expect.any(BigInt),
    },
  ])
})

test.each(ways)("%s a subscription begins at a height, and filters by kind and address", async (_way, open) => {
  const [first, second] = [await fund(FRIEND), await fund(OTHER)]
  const all = await take(await open({ from: 1 }), 2)
  expect(all.map(({ event, height }) => [event, height])).toEqual([
    ["tx", 1n],
    ["block", 1n],
    ["tx", 2n],
    ["block", 2n],
  ])
  const { height } = await devnet.rpc("platform.getTxInfo", { txID: first.txID as string })
  const some = await take(await open({ from: height as bigint, addresses: [FRIEND], kinds: ["BaseTx"] }), 1)
  expect(some.map((event) => (event.event === "tx" ? event.txID : event.height))).toEqual([first.txID, height])
  const none = await open({ from: height as bigint, kinds: ["ImportTx"] })
  none.close()
  expect(await take(none, 1)).toEqual([])
  expect(second.txID).toBeDefined()
})

test.each(ways)("%s a revert is an event", async (_way, open) => {
  const { id, height } = await devnet.dev.snapshot()
  const { height: gone } = await devnet.rpc("platform.getTxInfo", { txID: (await fund(FRIEND)).txID as string })
  const { block } = await devnet.rpc("platform.getBlockByHeight", { height: gone as bigint, encoding: "json" })
  await using events = await open()
  await devnet.dev.revert({ id })
  expect(await take(events, 1)).toEqual([
    { event: "revert", height, id: expect.any(String), blocks: [(block as { id: string }).id] },
  ])
})

test.each(ways)("%s options that cannot be read are refused by name", async (_way, open) => {
  for (const [options, option] of [
    [{ from: -1 }, "from"],
    [{ from: 1.5 }, "from"],
    [{ form: 1 }, "form"],
    [{ kinds: "BaseTx" }, "kinds"],
  ] as const) {
    await expect(open(options as never)).rejects.toMatchObject({ code: "node.bad_subscription", data: { option } })
  }
  await expect(open({ kinds: ["BaseTxx" as never] })).rejects.toMatchObject({
    code: "node.stream_refused",
    data: { reason: 'no transaction is of the kind "BaseTxx"' },
  })
})

test("many events wait for a slow reader, and none is lost", async () => {
  await using other = await startDevnet({ port: false, accounts: 0 })
  const events = await other.subscribe()
  // Two events each, so more than wait in the process.
  const { blocks } = await other.dev.mine({ blocks: 80, filler: true })
  expect(blocks).toBe(80)
  const heights = (await take(events, blocks)).filter(({ event }) => event === "block").map((event) => event.height)
  expect(heights).toEqual(Array.from({ length: blocks }, (_, i) => BigInt(i + 1)))
})

test("a stream that is cut, also within a block, continues from there, and each event arrives once", async () => {
  let cuts = 0
  await using proxy = await startTestProxy(devnet.url, ({ path }, response) => {
    if (!path.startsWith("/ext/bc/P/events")) return "pass"
    void fetch(devnet.url + path).then(async ({ body }) => {
      let text = ""
      for await (const chunk of body ?? []) {
        text += Buffer.from(chunk).toString()
        // The first stream ends after a transaction whose block is still to come, the second after a block.
        const end = cuts === 0 ? text.indexOf("event: tx", text.indexOf("event: block")) + 40 : text.length
        if (text.includes("event: block") && end > 40) break
      }
      const end = cuts === 0 ? text.indexOf("\n\n", text.indexOf("event: tx", text.indexOf("event: block"))) + 2 : text.length
      cuts++
      response.writeHead(200, { "content-type": "text/event-stream" }).write(text.slice(0, end), () => response.destroy())
    })
    return "done"
  })
  const taken = await take(await subscribe(proxy.url, { from: 1 }), 6)
  expect(taken.map(({ event, height }) => `${event} ${height}`)).toEqual(
    [1, 2, 3, 4, 5, 6].flatMap((height) => [`tx ${height}`, `block ${height}`]),
  )
  expect(cuts).toBeGreaterThan(0)
})

test("the loop ends with a reason if the node cannot be reached, and a node that stops ends the loops in its process", async () => {
  await expect(subscribe("http://127.0.0.1:1", { from: 1 })).rejects.toMatchObject({ code: "node.stream_ended" })
  const other = await startDevnet({ port: false })
  const events = await other.subscribe()
  await other.stop()
  expect(await take(events, 1)).toEqual([])
})
