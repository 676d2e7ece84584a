import { once } from "node:events"
import { get } from "node:http"
import { describe, expect, test } from "vitest"
import { Diff } from "../../../src/core/state/diff.js"
import { tables } from "../../../src/core/state/tables.js"
import type { ID } from "../../../src/core/types/id.js"
import type { Store } from "../../../src/store/store.js"
import { exchange, type FakeNode, localApi, post, serve } from "../../fixtures/api.js"
import { HEIGHT, P } from "./question.js"

/** The headers that ask for a WebSocket. */
const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
}

/** Lets the last accepted block be one of this height. */
function climbTo(height: bigint, { store, node }: { store: Store; node: FakeNode }): void {
  const diff = new Diff(store.latest)
  diff.put(tables.lastAccepted, null, { id: "ab".repeat(32) as ID, height })
  store.commit(diff.edits)
  node.emit({ kind: "override" })
}

describe("an answer has its height in a header", () => {
  test("in our own dialect always, in AvalancheGo's if the request names a height", async () => {
    const chain = localApi()
    climbTo(7n, chain)
    await using server = await serve(chain.api)
    expect((await post(server, P, HEIGHT)).headers["serac-height"]).toBe("7")
    const refused = '{"jsonrpc":"2.0","method":"platform.getBlock","params":{"blockID":"x"},"id":1}'
    expect((await post(server, P, refused)).headers["serac-height"]).toBe("7")
    const other = localApi({ dialect: "avalanchego" })
    climbTo(7n, other)
    await using second = await serve(other.api)
    expect((await post(second, P, HEIGHT)).headers["serac-height"]).toBeUndefined()
    expect((await post(second, P, HEIGHT, { "serac-min-height": "3" })).headers["serac-height"]).toBe("7")
  })

  test("the answer to a batch has the lowest height of its calls", async () => {
    const chain = localApi()
    await using server = await serve(chain.api)
    const calls = Array.from({ length: 40 }, (_, id) => `{"jsonrpc":"2.0","method":"platform.getHeight","params":{},"id":${id}}`)
    const answered = post(server, P, `[${calls.join()}]`)
    climbTo(9n, chain)
    const { headers, body } = await answered
    const heights = (JSON.parse(body) as { result: { height: string } }[]).map(({ result }) => Number(result.height))
    expect(headers["serac-height"]).toBe(String(Math.min(...heights)))
  })

  test("a stream has the height at which it begins; pages about the node have none", async () => {
    const chain = localApi()
    climbTo(4n, chain)
    await using server = await serve(chain.api)
    const request = get(`${server.url}/ext/bc/P/events`)
    const [response] = await once(request, "response")
    expect(response.headers["serac-height"]).toBe("4")
    response.destroy()
    expect((await exchange(server, { path: "/ext/health" })).headers["serac-height"]).toBeUndefined()
    expect((await exchange(server, { path: "/ext/metrics" })).headers["serac-height"]).toBeUndefined()
  })

  test("pages of other origins may send and read the headers", async () => {
    await using server = await serve(localApi().api)
    const origin = "https://app.example"
    expect((await post(server, P, HEIGHT, { origin })).headers["access-control-expose-headers"]).toBe("Serac-Height")
    const asked = { "access-control-request-method": "POST", "access-control-request-headers": "content-type,serac-min-height" }
    const { headers } = await exchange(server, { method: "OPTIONS", path: P, headers: { origin, ...asked } })
    expect(headers["access-control-allow-headers"]).toBe("Content-Type, Serac-Min-Height")
  })
})

describe("a request may name the height that its answer must have", () => {
  test("a height that the server has is answered at once, a higher one as soon as it is reached", async () => {
    const chain = localApi()
    climbTo(5n, chain)
    await using server = await serve(chain.api)
    expect(await post(server, P, HEIGHT, { "serac-min-height": "5" })).toMatchObject({
      status: 200,
      headers: { "serac-height": "5" },
    })
    const waiting = [6, 7, 8].map((height) => post(server, P, HEIGHT, { "serac-min-height": String(height) }))
    const again = await post(server, P, HEIGHT)
    expect(again.headers["serac-height"]).toBe("5")
    climbTo(8n, chain)
    for (const answered of await Promise.all(waiting)) {
      expect(answered).toMatchObject({ status: 200, headers: { "serac-height": "8" } })
      expect(JSON.parse(answered.body).result).toEqual({ height: "8" })
    }
  })

  test("a height that is not reached in time is answered with 503 and the height of the server", async () => {
    const chain = localApi()
    climbTo(5n, chain)
    await using server = await serve(chain.api)
    const asked = [
      post(server, P, HEIGHT, { "serac-min-height": "6" }),
      exchange(server, { path: "/ext/bc/P/events", headers: { "serac-min-height": "6" } }),
    ]
    for (const answered of await Promise.all(asked)) {
      expect(answered).toMatchObject({
        status: 503,
        headers: { "serac-height": "5", "retry-after": "1" },
        body: "the height of this server is 5, below the Serac-Min-Height 6: ask again later\n",
      })
    }
  })

  test("a WebSocket is opened when the height is reached, and refused like any other request", async () => {
    const chain = localApi()
    climbTo(5n, chain)
    await using server = await serve(chain.api)
    const open = (height: string) => {
      const headers = { "serac-min-height": height, ...UPGRADE }
      const request = get(`${server.url}/ext/bc/P/events`, { headers, agent: false })
      const opened = once(request, "upgrade").then(([, socket]) => {
        socket.destroy()
        return "opened"
      })
      const refused = once(request, "response").then(([{ statusCode, headers }]) => [statusCode, headers["serac-height"]])
      return Promise.race([opened, refused])
    }
    const late = open("6")
    expect(await Promise.all([open("5"), open("7"), open("x")])).toEqual(["opened", [503, "5"], [400, undefined]])
    const reached = open("6")
    climbTo(6n, chain)
    expect([await late, await reached]).toEqual([[503, "5"], "opened"])
  })

  test("a WebSocket that waits does not keep the server open", async () => {
    const server = await serve(localApi().api, { stopTimeout: 600_000 })
    const request = get(`${server.url}/ext/bc/P/events`, { headers: { "serac-min-height": "9", ...UPGRADE }, agent: false })
    const ended = once(request, "error")
    await once(request, "finish")
    await post(server, P, HEIGHT)
    await server[Symbol.asyncDispose]()
    expect(await ended).toMatchObject([{ code: "ECONNRESET" }])
  })

  test.each(["", "-1", "1.5", "0x10", "1e3", "18446744073709551616", "5, 6", "latest"])(
    "%j is refused as a height",
    async (value) => {
      await using server = await serve(localApi().api)
      expect(await post(server, P, HEIGHT, { "serac-min-height": value })).toMatchObject({
        status: 400,
        body: "the header Serac-Min-Height must be one height in decimal digits, such as 1234\n",
      })
    },
  )

  test("pages about the node ignore it", async () => {
    await using server = await serve(localApi().api)
    expect((await exchange(server, { path: "/ext/health", headers: { "serac-min-height": "x" } })).status).toBe(200)
  })

  test("a waiting client that disconnects is removed, and the server closes without waiting for it", async () => {
    const chain = localApi()
    await using server = await serve(chain.api)
    const request = get(`${server.url}/ext/bc/P/events`, { headers: { "serac-min-height": "9" } })
    request.on("error", () => {})
    await once(request, "socket")
    await post(server, P, HEIGHT)
    request.destroy()
    climbTo(9n, chain)
    expect(await post(server, P, HEIGHT, { "serac-min-height": "9" })).toMatchObject({ status: 200 })
  })
})
