import { once } from "node:events"
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { WebSocket, WebSocketServer } from "ws"
import type { ClientLimits } from "../../../src/jsonrpc/http/options.js"
import { defaultClientLimits } from "../../../src/jsonrpc/http/options.js"
import { exchange, localApi, serve, type TestServer } from "../../fixtures/api.js"

/** A real HTTP server in place of an EVM node. It answers with as many bytes as the path says, or waits for the test. */
let evm: Server
let evmUrl: string
const waiting: ServerResponse[] = []
/** Bytes that it has received over WebSockets. */
let received = 0

beforeAll(async () => {
  evm = createServer((request, response) => {
    const bytes = Number(request.url?.slice(1))
    if (bytes >= 0) response.end(Buffer.alloc(bytes))
    else waiting.push(response)
  })
  new WebSocketServer({ server: evm }).on("connection", (socket) => {
    socket.on("message", (data: Buffer) => {
      received += data.length
    })
  })
  evm.listen(0, "127.0.0.1")
  await once(evm, "listening")
  evmUrl = `http://127.0.0.1:${(evm.address() as AddressInfo).port}`
})
afterAll(() => {
  evm.closeAllConnections()
  evm.close()
})

const plenty = { unitsPerSecond: 1e6, burst: 1e6, unitsPerMillisecond: 1 }

/** A public server that forwards the C-Chain's requests. */
function servePublic(limits: Partial<ClientLimits>): Promise<TestServer> {
  const chainProxies = [{ chain: "C", url: evmUrl }]
  return serve(localApi({ isPublic: true }).api, { limits: { ...defaultClientLimits, ...limits }, chainProxies })
}

const get = (server: TestServer, path: string) => exchange(server, { path: `/ext/bc/C/${path}` })

let asked = 0

/** The units that clients were charged, without this question, which a new client asks each time. */
async function unitsOf(server: TestServer): Promise<number> {
  const { body } = await exchange(server, { path: "/ext/metrics", localAddress: `127.0.1.${++asked % 250}` })
  return Number(/^serac_client_units_total ([\d.]+)$/m.exec(body)?.[1])
}

test("a forwarded answer is charged by its bytes", async () => {
  await using server = await servePublic(plenty)
  const before = await unitsOf(server)
  const { status, body } = await get(server, String(4 << 20))
  expect([status, body.length]).toEqual([200, 4 << 20])
  // Two milliseconds for the request, and four for each MiB.
  expect((await unitsOf(server)) - before).toBeGreaterThan(18)
})

test("a forwarded answer needs room among the unread answers of its client while it arrives", async () => {
  await using server = await servePublic({ ...plenty, maxUnread: 1 << 20 })
  expect((await get(server, String(2 << 20))).status).toBe(503)
  expect((await get(server, String(1 << 19))).status).toBe(200)
})

test("requests that wait for the other node are pending calls of their client, also when it has disconnected", async () => {
  await using server = await servePublic({ ...plenty, pending: 2 })
  const gone = new AbortController()
  const path = "/ext/bc/C/never"
  const questions = [0, 1].map(() => exchange(server, { path, signal: gone.signal }).catch(() => "gone"))
  await expect.poll(() => waiting.length).toBe(2)
  gone.abort()
  expect(await Promise.all(questions)).toEqual(["gone", "gone"])
  expect((await get(server, "never")).status).toBe(503)
  for (const response of waiting.splice(0)) response.end()
  await expect.poll(async () => (await get(server, "0")).status).toBe(200)
})

test("bytes of a WebSocket are charged, and it ends when its client has no units left", async () => {
  await using server = await servePublic({ unitsPerSecond: 0.001, burst: 20, unitsPerMillisecond: 1 })
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/ext/bc/C/ws`)
  await once(socket, "open")
  const isClosed = once(socket, "close")
  socket.on("error", () => {})
  for (let i = 0; i < 32; i++) socket.send(Buffer.alloc(1 << 20))
  await isClosed
  expect(received).toBeLessThan(32 << 20)
})
