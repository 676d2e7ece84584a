import { get, type IncomingMessage } from "node:http"
import { describe, expect, test } from "vitest"
import { parseCopyHeader } from "../../src/core/networks/chainIdentity.js"
import { idText } from "../../src/core/types/id.js"
import { defaultClientLimits } from "../../src/jsonrpc/http/options.js"
import { ChainFrameReader } from "../../src/sync/follow/chainFrames.js"
import { exchange, localApi, post, serve, type TestServer } from "../fixtures/api.js"
import { HEIGHT, P } from "./http/question.js"

const BLOCKS = `${P}/blocks`

function open(server: TestServer, query = ""): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port: server.port, path: BLOCKS + query, agent: false }, resolve)
    request.on("error", reject)
  })
}

/** The first frames of a stream, as soon as there is one. */
async function framesOf(stream: IncomingMessage) {
  const reader = new ChainFrameReader()
  for await (const chunk of stream) {
    const frames = reader.push(chunk as Uint8Array) ?? []
    if (frames.length > 0) return frames
  }
  return []
}

describe("the stream of blocks", () => {
  test.each([
    "?from=-1",
    "?from=abc",
    "?from=",
    "?from=1e3",
    "?from=0x10",
    "?from=1.5",
    "?from=%00",
    `?from=${"9".repeat(21)}`,
    `?from=${"9".repeat(10_000)}`,
    "?from=1&from=x",
    "?to=5",
  ])("refuses the query %s", async (query) => {
    await using server = await serve(localApi().api)
    const { status } = await exchange(server, { method: "GET", path: BLOCKS + query })
    expect(status).toBe(400)
  })

  test.each(["2", "18446744073709551615", "18446744073709551616", "99999999999999999999"])(
    "says that the chain ends earlier to a client that has seen height %s",
    async (height) => {
      await using server = await serve(localApi().api)
      const stream = await open(server, `?after=${height}`)
      expect((await framesOf(stream))[0]).toEqual({ kind: "revert", height: 0n })
      stream.destroy()
    },
  )

  test("begins with the facts about the chain, and with its genesis for a client that has no block", async () => {
    const { api, store } = localApi()
    await using server = await serve(api)
    const genesisID = idText(store.getMeta("genesisID")!)
    for (const [from, more] of [
      [0, [{ kind: "genesis", bytes: store.getMeta("genesis") }]],
      [1, [{ kind: "genesis", bytes: store.getMeta("genesis") }]],
    ] as const) {
      const stream = await open(server, `?from=${from}`)
      const [first, ...rest] = await framesOf(stream)
      stream.destroy()
      const facts = first?.kind === "chain" ? parseCopyHeader(new TextDecoder().decode(first.header)) : undefined
      expect(facts).toMatchObject({ kind: "followed", id: `12345-${genesisID}`, networkID: 12345, rules: {} })
      expect(rest.slice(0, 1)).toEqual(more)
    }
  })

  test("takes GET only, and gives no body to HEAD", async () => {
    await using server = await serve(localApi().api)
    expect(await exchange(server, { path: BLOCKS, method: "POST" })).toMatchObject({ status: 405 })
    expect(await exchange(server, { path: BLOCKS, method: "HEAD" })).toMatchObject({ status: 200, body: "" })
  })

  test("gives each client a few streams, shared with those of events, and answers calls meanwhile", async () => {
    const limits = { ...defaultClientLimits, streams: 3, unitsPerSecond: 1e9, burst: 1e9 }
    await using server = await serve(localApi({ isPublic: true }).api, { limits })
    const streams = await Promise.all(Array.from({ length: 40 }, () => open(server, "?from=0")))
    const statuses = streams.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200).length).toBe(3)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect((await exchange(server, { method: "GET", path: `${P}/events` })).status).toBe(503)
    expect((await post(server, P, HEIGHT)).status).toBe(200)
    for (const stream of streams) stream.destroy()
  })

  test("charges a client for each request, also for refused ones, until it has no units left", async () => {
    const limits = { ...defaultClientLimits, unitsPerSecond: 0.001, burst: 100, unitsPerMillisecond: 1 }
    await using server = await serve(localApi({ isPublic: true }).api, { limits })
    const ask = async () => (await exchange(server, { method: "GET", path: `${BLOCKS}?from=x` })).status
    expect(await ask()).toBe(400)
    let status = 400
    for (let asked = 0; status === 400 && asked < 2000; asked++) status = await ask()
    expect(status).toBe(429)
    expect((await exchange(server, { method: "GET", path: `${BLOCKS}?from=0` })).status).toBe(429)
  })
})
