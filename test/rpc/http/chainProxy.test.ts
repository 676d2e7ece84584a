import { once } from "node:events"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { WebSocket, WebSocketServer } from "ws"
import { type ID, idText } from "../../../src/core/types/id.js"
import { proxiedChainID } from "../../../src/node/chainProxy.js"
import { exchange, localApi, serve, type TestServer } from "../../fixtures/api.js"
import { startRunningNode } from "../methods/runningNode.js"

const L1 = idText("77".repeat(32) as ID)

/** A real HTTP server in place of an EVM node, which answers with the request that it got. */
let evm: Server
let evmUrl: string
let server: TestServer

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const piece of request) text += piece
  return text
}

beforeAll(async () => {
  evm = createServer(async (request, response) => {
    const { url, method, headers } = request
    if (url === "/redirect") return void response.writeHead(302, { location: "http://169.254.169.254/" }).end()
    if (url === "/hangup") return void request.socket.destroy()
    const { origin, cookie, authorization, "content-type": type } = headers
    const seen = { method, url, body: await bodyOf(request), type, origin, cookie, authorization }
    response.writeHead(url === "/missing" ? 404 : 200, { "content-type": "application/json", "set-cookie": "a=b" })
    response.end(JSON.stringify(seen))
  })
  const sockets = new WebSocketServer({ server: evm })
  sockets.on("connection", (socket, request) => {
    socket.on("message", (data) => socket.send(`${request.url} ${data}`))
  })
  evm.listen(0, "127.0.0.1")
  await once(evm, "listening")
  evmUrl = `http://127.0.0.1:${(evm.address() as AddressInfo).port}`
  const chainProxies = [
    { chain: "C", url: evmUrl },
    { chain: L1, url: `${evmUrl}/ext/bc/l1` },
  ]
  server = await serve(localApi().api, { chainProxies })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  evm.closeAllConnections()
  evm.close()
})

const ask = (path: string, init: RequestInit = {}) => fetch(`${server.url}/ext/bc/${path}`, init)
const seenAt = async (path: string, init: RequestInit = {}) => (await ask(path, init)).json()
const call = { method: "POST", body: '{"method":"eth_chainId"}', headers: { "content-type": "application/json" } }

test("calls below a chain's path go to the node that runs it, and to its root if its URL has no path", async () => {
  const seen = { method: "POST", url: "/", body: call.body, type: "application/json" }
  expect(await seenAt("C/rpc", call)).toEqual(seen)
  expect(await seenAt("evm/rpc", call)).toEqual(seen)
  expect(await seenAt("C/avax?x=1", call)).toEqual({ ...seen, url: "/avax?x=1" })
  expect(await seenAt(`${L1}/rpc`, call)).toEqual({ ...seen, url: "/ext/bc/l1/rpc" })
  expect(await seenAt("C/rpc")).toEqual({ method: "GET", url: "/", body: "" })
})

test("the status and content type are returned, and no cookie or secret is forwarded", async () => {
  const secrets = { cookie: "a=b", authorization: "Bearer x", origin: "http://localhost:3000" }
  const answer = await ask("C/missing", { ...call, headers: { ...call.headers, ...secrets } })
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("set-cookie")]).toEqual([
    404,
    "application/json",
    null,
  ])
  expect(await answer.json()).toEqual({
    method: "POST",
    url: "/missing",
    body: call.body,
    type: "application/json",
    origin: "http://localhost:3000",
  })
})

test("no request can reach another host or leave the path of the node", async () => {
  const path = `/ext/bc/${L1}/%2e%2e/%2e%2e/admin`
  const { status, headers } = await exchange(server, { method: "POST", path, headers: call.headers }, call.body)
  expect([status, headers.location]).toEqual([301, "/ext/admin"])
  for (const [asked, seen] of [
    ["%252e%252e/%252e%252e/admin", "/ext/bc/l1/%252e%252e/%252e%252e/admin"],
    ["..%5c..%5c..%5cfoo", "/ext/bc/l1/..%5C..%5C..%5Cfoo"],
    ["a%3fb%23c%25", "/ext/bc/l1/a%3Fb%23c%25"],
    ["rpc/%C3%A9?x=%2e", "/ext/bc/l1/rpc/%C3%A9?x=%2e"],
  ]) {
    const raw = await exchange(server, { method: "POST", path: `/ext/bc/${L1}/${asked}`, headers: call.headers }, call.body)
    expect([asked, JSON.parse(raw.body).url]).toEqual([asked, seen])
  }
  const odd = await seenAt(`${L1}/@evil.example:80/x`, call)
  expect(odd).toMatchObject({ url: "/ext/bc/l1/@evil.example:80/x" })
  expect((await ask("D/rpc", call)).status).toBe(404)
  expect((await ask("C/rpc", { method: "DELETE" })).status).toBe(405)
})

test("a page of a foreign origin may read a chain, but send it nothing; a wallet in the browser may", async () => {
  const statusOf = async (origin: string, init: RequestInit) =>
    (await ask("C/rpc", { ...init, headers: { ...init.headers, origin } })).status
  for (const origin of ["https://evil.example", "null"]) {
    expect([
      await statusOf(origin, call),
      await statusOf(origin, { ...call, headers: { "content-type": "text/plain" } }),
    ]).toEqual([403, 403])
    expect(await statusOf(origin, {})).toBe(200)
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/ext/bc/C/ws`, { origin })
    const [error] = await once(socket, "error")
    expect(String(error)).toContain("403")
  }
  for (const origin of ["chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn", "http://localhost:3000", server.url]) {
    expect(await statusOf(origin, call)).toBe(200)
  }
})

test("a redirect, a broken answer and an unreachable node give 502 with the node's address", async () => {
  const texts = async (path: string) => {
    const answer = await ask(path, call)
    return [answer.status, await answer.text()]
  }
  expect(await texts("C/redirect")).toEqual([502, `${evmUrl} answers with a redirect\n`])
  expect(await texts("C/hangup")).toEqual([502, expect.stringContaining(`${evmUrl} cannot be reached: `)])
  const gone = await serve(localApi().api)
  await gone[Symbol.asyncDispose]()
  await using other = await serve(localApi().api, { chainProxies: [{ chain: "C", url: gone.url }] })
  const answer = await fetch(`${other.url}/ext/bc/C/rpc`, call)
  expect([answer.status, await answer.text()]).toEqual([
    502,
    `${gone.url} cannot be reached: connect ECONNREFUSED 127.0.0.1:${gone.port}\n`,
  ])
})

test("a WebSocket below a chain is connected with that of the node", async () => {
  const open = async (path: string) => {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/ext/bc/${path}`)
    await once(socket, "open")
    socket.send("hello")
    const [data] = await once(socket, "message")
    socket.close()
    await once(socket, "close")
    return data.toString()
  }
  expect(await open("C/ws")).toBe("/ hello")
  expect(await open(`${L1}/ws`)).toBe("/ext/bc/l1/ws hello")
})

test("a server that stops tells the clients of open WebSockets, and does not wait for one that reads nothing", async () => {
  const chainProxies = [{ chain: "C", url: evmUrl }]
  const stopping = await serve(localApi().api, { chainProxies, stopTimeout: 600_000 })
  const open = async () => {
    const socket = new WebSocket(`${stopping.url.replace("http", "ws")}/ext/bc/C/ws`)
    await once(socket, "open")
    return socket
  }
  const [polite, deaf] = [await open(), await open()]
  const closed = once(polite, "close")
  deaf.pause()
  await stopping[Symbol.asyncDispose]()
  const [code, reason] = await closed
  expect([code, String(reason)]).toEqual([1001, "the node is stopping"])
  deaf.terminate()
})

test("a chain with a proxy counts as bootstrapped", async () => {
  const chainProxies = [
    { chain: "C", url: evmUrl },
    { chain: L1, url: evmUrl },
  ]
  const node = await startRunningNode("contract", { http: { port: 0, chainProxies } })
  try {
    const isBootstrapped = async (chain: string) =>
      (await node.call<{ isBootstrapped: boolean }>("info.isBootstrapped", { chain })).isBootstrapped
    expect(await Promise.all(["P", "C", "X", L1].map(isBootstrapped))).toEqual([true, true, false, true])
  } finally {
    await node.stop()
  }
})

const genesis = { xChainID: "11".repeat(32), cChainID: "22".repeat(32), avaxAssetID: "33".repeat(32) } as never
test.each(["P", "X", "nonsense"])("%s is refused as a chain for the proxy", (chain) => {
  expect(() => proxiedChainID(chain, genesis)).toThrow(expect.objectContaining({ code: "node.bad_proxied_chain" }))
})
