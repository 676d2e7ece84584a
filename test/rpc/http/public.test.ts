import { once } from "node:events"
import { connect } from "node:net"
import { describe, expect, test } from "vitest"
import { defaultClientLimits } from "../../../src/jsonrpc/http/options.js"
import { exchange, localApi, post, raw, serve } from "../../fixtures/api.js"
import { HEIGHT, P, requestText } from "./question.js"

describe("a public server", () => {
  // Only the prices of methods count: measured time would make the test depend on the machine.
  const limited = { ...defaultClientLimits, unitsPerSecond: 1, burst: 5, unitsPerMillisecond: 0 }

  test("does not reveal its identity", async () => {
    await using server = await serve(localApi({ isPublic: true }).api, { nodeID: undefined })
    const got = await post(server, "/ext/info", '{"jsonrpc":"2.0","method":"info.getNodeID","id":1}')
    expect(got.headers["node-id"]).toBeUndefined()
    expect(JSON.parse(got.body)).toMatchObject({ error: { code: -32601, data: { code: "rpc.not_public" } }, id: 1 })
    expect((await post(server, "/ext/info", '{"jsonrpc":"2.0","method":"info.getNetworkID","id":1}')).status).toBe(200)
  })

  test("keeps no keys", async () => {
    await using server = await serve(localApi({ isPublic: true }).api)
    const list = '{"jsonrpc":"2.0","method":"keystore.listUsers","id":1}'
    const got = await post(server, "/ext/keystore", list)
    expect(got.status).toBe(404)
    expect(JSON.parse(got.body)).toMatchObject({ error: { code: -32601 }, id: 1 })
    await using other = await serve(localApi({ isPublic: true, dialect: "avalanchego" }).api)
    expect(await post(other, "/ext/keystore", list)).toMatchObject({ status: 404, body: "404 page not found\n" })
  })

  test("does not read requests of a client in debt", async () => {
    const limits = { ...defaultClientLimits, unitsPerSecond: 0.001, burst: 50, unitsPerMillisecond: 1 }
    await using server = await serve(localApi({ isPublic: true }).api, { limits })
    while ((await post(server, P, HEIGHT)).status !== 429) {}
    // The refused request was paid for as well.
    const got = await raw(server.port, requestText(HEIGHT).slice(0, -10))
    expect(got).toMatch(/^HTTP\/1.1 429 .*Connection: close.*"code":-32005.*"id":null/s)
  })

  test("refuses bodies as large as those of the keystore", async () => {
    await using server = await serve(localApi({ isPublic: true }).api, { limits: { ...defaultClientLimits, maxBody: 1 << 20 } })
    expect((await post(server, P, HEIGHT + " ".repeat(600_000))).status).toBe(200)
    expect((await post(server, P, HEIGHT + " ".repeat(1_100_000))).status).toBe(413)
  })

  test("limits the connections of each client", async () => {
    await using server = await serve(localApi({ isPublic: true }).api, { limits: { ...defaultClientLimits, connections: 2 } })
    const held = [connect(server.port, "127.0.0.1"), connect(server.port, "127.0.0.1")]
    await Promise.all(held.map((socket) => once(socket, "connect")))
    expect(await raw(server.port, requestText(HEIGHT))).toBe("")
    for (const socket of held) socket.destroy()
    await Promise.all(held.map((socket) => once(socket, "close")))
    while ((await raw(server.port, requestText(HEIGHT, "Connection: close\r\n"))) === "") await new Promise(setImmediate)
    await using behind = await serve(localApi({ isPublic: true }).api, {
      limits: { ...defaultClientLimits, connections: 0 },
      trustedProxies: ["127.0.0.1"],
    })
    expect((await post(behind, P, HEIGHT)).status).toBe(200)
  })

  test("answers sixteen requests that were sent together, ends a connection with more, and serves another client meanwhile", async () => {
    const limits = { ...defaultClientLimits, unitsPerSecond: 1e9, burst: 1e9 }
    await using server = await serve(localApi({ isPublic: true }).api, { limits })
    const get = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
    const statuses = (text: string) => [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map((match) => match[1])
    const isWhole = (text: string) => text.split("lists what is\n").length > 16
    expect(statuses(await raw(server.port, get.repeat(16), isWhole))).toEqual(Array(16).fill("404"))
    expect(statuses(await raw(server.port, get.repeat(20)))).toEqual([...Array(16).fill("404"), "503"])
    const flood = connect(server.port, "127.0.0.1").resume()
    // The end of the connection may be an error, by which `once` would reject.
    const closed = new Promise((resolve) => flood.on("error", () => {}).on("close", resolve))
    flood.write(get.repeat(5000))
    const other = await exchange(server, { path: "/ext/health/liveness", localAddress: "127.0.0.9" })
    expect(other.status).toBe(200)
    await closed
  })

  test("counts the requests of each client", async () => {
    await using server = await serve(localApi({ isPublic: true }).api, { limits: limited, trustedProxies: ["127.0.0.1"] })
    const ask = (client: string) => post(server, P, HEIGHT, { "x-forwarded-for": client })
    for (let i = 0; i < 5; i++) expect((await ask("1.1.1.1")).status).toBe(200)
    const refused = await ask("1.1.1.1")
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1" } })
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32005, data: { code: "rpc.too_many_requests" } }, id: 1 })
    expect((await ask("2.2.2.2")).status).toBe(200)
    expect((await exchange(server, { path: "/ext/metrics", headers: { "x-forwarded-for": "1.1.1.1" } })).status).toBe(429)
  })

  test("ignores forwarded addresses unless proxies are named", async () => {
    const proxies: string[] = []
    const onUnknownProxy = (address: string) => void proxies.push(address)
    await using server = await serve(localApi({ isPublic: true }).api, { limits: limited }, { onUnknownProxy })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await post(server, P, HEIGHT, { "x-forwarded-for": `1.1.1.${i}` })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    // It is told once, so that a client cannot fill the log.
    expect(proxies).toEqual(["127.0.0.1"])
  })
})
