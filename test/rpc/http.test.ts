import { once } from "node:events"
import { connect } from "node:net"
import { describe, expect, test } from "vitest"
import { defaultClientLimits } from "../../src/rpc/http/options.js"
import { exchange, localApi, post, raw, serve, type TestServer } from "../fixtures/api.js"

const P = "/ext/bc/P"
const HEIGHT = '{"jsonrpc":"2.0","method":"platform.getHeight","params":{},"id":1}'
const HEIGHT_ANSWER = '{"jsonrpc":"2.0","result":{"height":"0"},"id":1}\n'

test("every name of the P-Chain leads to it, and nothing else does", async () => {
  await using server = await serve(localApi().api)
  for (const path of [P, "/ext/bc/11111111111111111111111111111111LpoYY", "/ext/bc/platform", "/ext/P", "/ext/platform"]) {
    expect(await post(server, path, HEIGHT)).toMatchObject({ status: 200, body: HEIGHT_ANSWER })
  }
  expect(await post(server, `${P}?x=1`, HEIGHT)).toMatchObject({ status: 200, body: HEIGHT_ANSWER })
  expect(await post(server, "/ext/bc/%50", HEIGHT)).toMatchObject({ status: 200, body: HEIGHT_ANSWER })
  const unknown = [
    "/ext/bc/P/",
    "/ext/bc/p",
    "/ext/11111111111111111111111111111111LpoYY",
    "/ext/bc/C",
    "/ext/admin",
    "/ext/dev",
    "/",
  ]
  for (const path of unknown) {
    expect(await post(server, path, HEIGHT)).toMatchObject({
      status: 404,
      body: "404 page not found\n",
      headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff", "node-id": "NodeID-test" },
    })
  }
})

test("a path that is not clean is redirected with its query, whatever the method", async () => {
  await using server = await serve(localApi().api)
  for (const path of ["//ext/info?a=b", "/ext/./info?a=b", "/x/../ext//info?a=b"]) {
    expect(await post(server, path, HEIGHT)).toMatchObject({ status: 301, body: "", headers: { location: "/ext/info?a=b" } })
  }
  expect((await post(server, "/%zz", HEIGHT)).status).toBe(400)
})

test("an answer has the reference's headers", async () => {
  await using server = await serve(localApi().api)
  const { headers } = await post(server, P, HEIGHT)
  const { date, ...rest } = headers
  expect(date).toBeDefined()
  expect(rest).toEqual({
    "content-type": "application/json; charset=utf-8",
    "content-length": String(HEIGHT_ANSWER.length),
    "node-id": "NodeID-test",
    vary: "Origin",
    "x-content-type-options": "nosniff",
    connection: "close",
  })
})

test("text beyond ASCII goes out as UTF-8, in short answers and long ones", async () => {
  await using server = await serve(localApi({ dialect: "avalanchego" }).api)
  for (const asset of ["żółw 🐢", "żółw 🐢".repeat(2000)]) {
    const got = await post(
      server,
      "/ext/bc/X",
      `{"jsonrpc":"2.0","method":"avm.getAssetDescription","params":{"assetID":"${asset}"},"id":1}`,
    )
    expect(JSON.parse(got.body).error.message).toBe(`asset '${asset}' not found`)
    expect(got.headers["content-length"]).toBe(String(Buffer.byteLength(got.body)))
  }
})

test("nosniff is for methods that were called", async () => {
  await using server = await serve(localApi().api)
  const sniffed = async (body: string) => (await post(server, P, body)).headers["x-content-type-options"]
  expect(await sniffed(HEIGHT)).toBe("nosniff")
  expect(
    await sniffed('{"jsonrpc":"2.0","method":"platform.getTx","params":{"txID":"11111111111111111111111111111111LpoYY"},"id":1}'),
  ).toBe("nosniff")
  for (const body of [
    "{",
    '{"jsonrpc":"2.0","method":"platform.nope","id":1}',
    '{"jsonrpc":"2.0","method":"platform.getTx","params":{"txID":5},"id":1}',
  ]) {
    expect(await sniffed(body)).toBeUndefined()
  }
})

test("only POST calls methods", async () => {
  await using server = await serve(localApi().api)
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
    const { status, body, headers } = await exchange(server, { method, path: P })
    expect({ status, body }).toEqual({ status: 405, body: `rpc: POST method required, received ${method}` })
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8")
    expect(headers.allow).toBeUndefined()
    expect(headers["x-content-type-options"]).toBeUndefined()
  }
  expect(await exchange(server, { method: "HEAD", path: P })).toMatchObject({
    status: 405,
    body: "",
    headers: { "content-length": "40" },
  })
})

test("the content type up to the first semicolon decides, in any letter case", async () => {
  await using server = await serve(localApi().api)
  for (const type of ["application/json", "application/json;", "Application/JSON; charset=utf-8", "application/json;x"]) {
    expect((await post(server, P, HEIGHT, { "content-type": type })).status).toBe(200)
  }
  for (const type of ["application/json ; charset=utf-8", "text/plain", "application/json-rpc", ""]) {
    expect(await post(server, P, HEIGHT, { "content-type": type })).toMatchObject({
      status: 415,
      body: `rpc: unrecognized Content-Type: ${type.split(";")[0]?.replace(/ $/, type.includes(" ;") ? " " : "")}`,
    })
  }
  expect(await exchange(server, { method: "POST", path: P }, HEIGHT)).toMatchObject({
    status: 415,
    body: "rpc: unrecognized Content-Type: ",
  })
})

test("foreign host names are refused before anything is looked up; other origins hear of it", async () => {
  await using server = await serve(localApi().api)
  const headers = { host: "evil.example", origin: "https://evil.example" }
  for (const path of [P, "/nowhere"]) {
    expect(await post(server, path, HEIGHT, headers)).toMatchObject({
      status: 403,
      body: "invalid host specified\n",
      headers: { "access-control-allow-origin": "*", "x-content-type-options": "nosniff" },
    })
  }
  for (const host of ["localhost", "LOCALHOST:9650", "127.0.0.1:1", "[::1]:9650"]) {
    expect((await post(server, P, HEIGHT, { host })).status).toBe(200)
  }
})

test("a preflight is answered on any path and for any host", async () => {
  await using server = await serve(localApi().api)
  const headers = {
    host: "evil.example",
    origin: "https://app.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
  }
  for (const path of [P, "/nowhere", "//x"]) {
    expect(await exchange(server, { method: "OPTIONS", path, headers })).toMatchObject({
      status: 200,
      body: "",
      headers: {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "Content-Type",
        "access-control-allow-credentials": "true",
        "node-id": "NodeID-test",
        vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
      },
    })
  }
})

test("before the chain is ready the P-Chain's path says so, and info answers", async () => {
  await using server = await serve(localApi({ isReady: () => false }).api)
  expect(await exchange(server, { method: "GET", path: P })).toMatchObject({
    status: 503,
    body: "API call rejected because chain is not done bootstrapping\n",
  })
  expect((await post(server, "/ext/info", '{"jsonrpc":"2.0","method":"info.getNetworkID","id":1}')).status).toBe(200)
  expect((await exchange(server, { path: "/ext/health" })).status).toBe(503)
  expect((await exchange(server, { path: "/ext/health/liveness" })).status).toBe(200)
})

test("a body that is too large is refused with 413, whether it says so or not", async () => {
  await using server = await serve(localApi().api, { maxBody: 1000 })
  const large = HEIGHT.replace("{}", `{"x":"${"a".repeat(2000)}"}`)
  for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
    const { status, body, headers: got } = await post(server, P, large, headers as Record<string, string>)
    expect(status).toBe(413)
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32600, data: { code: "rpc.too_large" } }, id: null })
    expect(got.connection).toBe("close")
  }
  expect((await post(server, P, HEIGHT)).status).toBe(200)
})

test("bodies of all clients together have a limit, and small ones always have room", async () => {
  await using server = await serve(localApi().api, { maxBuffered: 100_000 })
  const large = HEIGHT + " ".repeat(200_000)
  expect(await post(server, P, large)).toMatchObject({ status: 503, headers: { "retry-after": "1" } })
  const slow = connect(server.port, "127.0.0.1")
  slow.write(requestText(HEIGHT + " ".repeat(170_000)).slice(0, 160_000))
  while ((await post(server, P, HEIGHT + " ".repeat(100_000))).status === 200) await new Promise(setImmediate)
  expect((await post(server, P, HEIGHT)).status).toBe(200)
  slow.destroy()
  while ((await post(server, P, HEIGHT + " ".repeat(100_000))).status !== 200) await new Promise(setImmediate)
})

const requestText = (body: string, more = "") =>
  `POST ${P} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test("requests sent one after the other without waiting are answered in order", async () => {
  await using server = await serve(localApi().api)
  const ids = Array.from({ length: 50 }, (_, i) => i)
  const body = (id: number) => HEIGHT.replace('"id":1', `"id":${id}`)
  const sent = ids.map((id) => requestText(body(id), id === 49 ? "Connection: close\r\n" : "")).join("")
  const got = await raw(server.port, sent)
  expect([...got.matchAll(/"id":(\d+)}/g)].map((match) => Number(match[1]))).toEqual(ids)
})

test("a connection is used again, also after a refusal", async () => {
  await using server = await serve(localApi().api)
  const get = `GET ${P} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const got = await raw(server.port, get + requestText(HEIGHT) + requestText("{", "Connection: close\r\n"))
  expect([...got.matchAll(/HTTP\/1.1 (\d+)/g)].map((match) => match[1])).toEqual(["405", "200", "200"])
})

test("a request that does not arrive in time is cut off, also where the client does not close from its side", async () => {
  await using server = await serve(localApi().api, { readTimeout: 100, headersTimeout: 100 })
  const open = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true })
  open.write("POST /ext/bc/P HTTP/1.1\r\nHo")
  await once(open.resume(), "end")
  // Writing to a connection that is gone ends it here, too; to half a connection one could write forever.
  open.on("error", () => {})
  const writing = setInterval(() => open.write("x"), 1)
  await new Promise<void>((resolve) => open.once("close", () => resolve()))
  clearInterval(writing)
  expect(await raw(server.port, "POST /ext/bc/P HTTP/1.1\r\nHo")).toMatch(/^HTTP\/1.1 408/)
  expect(await raw(server.port, requestText(HEIGHT).slice(0, -10))).toMatch(/^HTTP\/1.1 408/)
})

test("what is no HTTP is told so, and the connection closed", async () => {
  await using server = await serve(localApi().api)
  expect(await raw(server.port, "nonsense\r\n\r\n")).toBe(
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 15\r\nConnection: close\r\n\r\n400 Bad Request",
  )
  expect(await raw(server.port, `POST ${P} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/)
})

test("a method that Node does not know is refused as AvalancheGo does", async () => {
  await using server = await serve(localApi().api)
  const post = (line: string, headers = "Host: localhost\r\n") => raw(server.port, `${line} HTTP/1.1\r\n${headers}\r\n{}`)
  expect(await post(`post ${P}`)).toBe(
    "HTTP/1.1 405 Method Not Allowed\r\nContent-Type: text/plain; charset=utf-8\r\nNode-Id: NodeID-test\r\nVary: Origin\r\nContent-Length: 40\r\nConnection: close\r\n\r\nrpc: POST method required, received post",
  )
  expect(await post(`POSTX ${P}`)).toMatch(/^HTTP\/1.1 405 .*received POSTX$/s)
  expect(await post("FOO /nowhere")).toMatch(/^HTTP\/1.1 404 /)
  expect(await post(`foo ${P}`, "Host: evil.example\r\n")).toMatch(/^HTTP\/1.1 403 /)
  expect(await post("get /ext/health/liveness")).toMatch(/^HTTP\/1.1 200 .*"healthy":true/s)
  expect(await raw(server.port, `post ${P} HTTP/1.1\r\nHo`)).toMatch(/^HTTP\/1.1 400 /)
})

test("a client that asks before it sends its body is told whether to", async () => {
  await using server = await serve(localApi().api, { maxBody: 1000 })
  const ask = (path: string, length = HEIGHT.length) =>
    raw(
      server.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
      (text) => text.startsWith("HTTP/1.1 100"),
    )
  expect(await ask(P)).toBe("HTTP/1.1 100 Continue\r\n\r\n")
  expect(await ask("/nowhere")).toMatch(/^HTTP\/1.1 404 .*Connection: close/s)
  expect(await ask(P, 1001)).toMatch(/^HTTP\/1.1 413 .*Connection: close/s)
})

test("the host of a whole address counts, as to a proxy", async () => {
  await using server = await serve(localApi().api)
  const ask = (address: string) => raw(server.port, requestText(HEIGHT, "Connection: close\r\n").replace(P, address + P))
  expect(await ask("http://localhost:9650")).toMatch(/^HTTP\/1.1 200 /)
  expect(await ask("http://evil.example")).toMatch(/^HTTP\/1.1 403 /)
})

test("a fault of ours ends one connection, not the server", async () => {
  const faults: unknown[] = []
  const { api } = localApi({ onFault: (error) => faults.push(error) })
  api.health.report = () => {
    throw new Error("ours")
  }
  await using server = await serve(api)
  await expect(exchange(server, { path: "/ext/health" })).rejects.toThrow("socket hang up")
  expect((await post(server, P, HEIGHT)).status).toBe(200)
  expect(faults).toEqual([new Error("ours")])
})

test("an id as long as a body is answered", async () => {
  await using server = await serve(localApi().api)
  const id = `["${"a".repeat(15_000_000)} b", 1]`
  const { status, body } = await post(server, P, HEIGHT.replace('"id":1', `"id":${id}`))
  expect({ status, length: body.length }).toEqual({ status: 200, length: HEIGHT_ANSWER.length + id.length - 2 })
})

const CREATE = '{"jsonrpc":"2.0","method":"keystore.createUser","params":{"username":"a","password":"b"},"id":1}'

/** Makes a call that waits for its answer, and lets go when the server has it. The promise comes in a box: it is not to be awaited yet. */
async function begun(server: TestServer) {
  const call = post(server, "/ext/keystore", CREATE).catch((error: Error) => error)
  while (!(await metric(server, "serac_rpc_pending 1"))) await new Promise((resolve) => setImmediate(resolve))
  return { call }
}

async function metric(server: TestServer, line: string): Promise<boolean> {
  return (await exchange(server, { path: "/ext/metrics" })).body.includes(`\n${line}\n`)
}

test("calls that wait for an answer have a limit", async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { api } = localApi({ ports: { keystore: { createUser: () => answered } } })
  await using server = await serve(api, { maxPending: 1 })
  const { call } = await begun(server)
  const refused = await post(server, P, HEIGHT)
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } })
  expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32005, data: { code: "rpc.busy" } } })
  answer()
  expect(await call).toMatchObject({ status: 200 })
  expect((await post(server, P, HEIGHT)).status).toBe(200)
})

test("pages of other origins may not touch the dev interface", async () => {
  const { api } = localApi({ services: ["dev"], ports: { dev: undefined } })
  await using server = await serve(api, { allowedOrigins: ["*", "https://lab.example"] })
  const preflight = async (origin: string) =>
    (
      await exchange(server, {
        method: "OPTIONS",
        path: "/ext/dev",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
      })
    ).headers["access-control-allow-origin"]
  expect(await preflight("https://evil.example")).toBeUndefined()
  expect(await preflight("https://lab.example")).toBe("https://lab.example")
  expect(await preflight("http://localhost:5173")).toBe("http://localhost:5173")
  const status = '{"jsonrpc":"2.0","method":"dev.nothing","id":1}'
  expect(await post(server, "/ext/dev", status, { origin: "https://evil.example" })).toMatchObject({ status: 403 })
  expect(await post(server, "/ext/dev", status, { origin: "null" })).toMatchObject({ status: 403 })
  expect(await post(server, "/ext/dev", status, { origin: "https://lab.example" })).toMatchObject({ status: 200 })
  expect(await post(server, "/ext/dev", status)).toMatchObject({ status: 200 })
})

test("a server that stops finishes what it has, and takes no more", async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { api } = localApi({ ports: { keystore: { createUser: () => answered } } })
  const server = await serve(api)
  const { call } = await begun(server)
  const closed = server.server.close()
  answer()
  expect(await call).toMatchObject({ status: 200 })
  await closed
  await expect(post(server, P, HEIGHT)).rejects.toThrow("ECONNREFUSED")
  api.close()
})

test("a server that stops does not wait forever", async () => {
  const { api } = localApi({ ports: { keystore: { createUser: () => new Promise(() => {}) } } })
  const server = await serve(api, { stopTimeout: 50 })
  const { call } = await begun(server)
  await server.server.close()
  expect(await call).toBeInstanceOf(Error)
  api.close()
})

test("two servers cannot have one port", async () => {
  const { api } = localApi()
  await using server = await serve(api)
  await expect(serve(localApi().api, { port: server.port })).rejects.toThrow("EADDRINUSE")
})

describe("a public server", () => {
  const limited = { ...defaultClientLimits, unitsPerSecond: 1, burst: 5, paidMilliseconds: 60_000 }

  test("does not say who it is", async () => {
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

  test("does not read what a client in debt sends", async () => {
    const limits = { ...defaultClientLimits, unitsPerSecond: 1, burst: 5, paidMilliseconds: -1 }
    await using server = await serve(localApi({ isPublic: true }).api, { limits })
    for (let i = 0; i < 10; i++) await post(server, P, HEIGHT)
    const got = await raw(server.port, requestText(HEIGHT).slice(0, -10))
    expect(got).toMatch(/^HTTP\/1.1 429 .*Connection: close.*"code":-32005.*"id":null/s)
  })

  test("takes no bodies as large as a keystore", async () => {
    await using server = await serve(localApi({ isPublic: true }).api, { limits: defaultClientLimits })
    expect((await post(server, P, HEIGHT + " ".repeat(600_000))).status).toBe(200)
    expect((await post(server, P, HEIGHT + " ".repeat(1_100_000))).status).toBe(413)
  })

  test("lets each client have so many connections", async () => {
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

  test("counts what each client asks", async () => {
    await using server = await serve(localApi({ isPublic: true }).api, { limits: limited, trustedProxies: ["127.0.0.1"] })
    const ask = (client: string) => post(server, P, HEIGHT, { "x-forwarded-for": client })
    for (let i = 0; i < 5; i++) expect((await ask("1.1.1.1")).status).toBe(200)
    const refused = await ask("1.1.1.1")
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1" } })
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32005, data: { code: "rpc.too_many_requests" } }, id: 1 })
    expect((await ask("2.2.2.2")).status).toBe(200)
    expect((await exchange(server, { path: "/ext/metrics", headers: { "x-forwarded-for": "1.1.1.1" } })).status).toBe(429)
  })

  test("believes no forwarded address by itself", async () => {
    await using server = await serve(localApi({ isPublic: true }).api, { limits: limited })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await post(server, P, HEIGHT, { "x-forwarded-for": `1.1.1.${i}` })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe("beside JSON-RPC", () => {
  test("health is told to GET and POST, with the status that deployment tools look at", async () => {
    await using server = await serve(localApi().api)
    const got = await exchange(server, { path: "/ext/health" })
    expect(got).toMatchObject({ status: 200, headers: { "content-type": "application/json" } })
    expect(JSON.parse(got.body)).toMatchObject({ checks: { bootstrapped: { message: [] } }, healthy: true })
    expect((await exchange(server, { method: "HEAD", path: "/ext/health" })).status).toBe(405)
    for (const method of ["GET", "HEAD", "POST", "PUT"]) {
      for (const question of ["health", "readiness", "liveness"]) {
        expect((await exchange(server, { method, path: `/ext/health/${question}?tag=x` })).status).toBe(200)
      }
    }
    expect(JSON.parse((await exchange(server, { path: "/ext/health/liveness" })).body)).toEqual({ checks: {}, healthy: true })
    const { body } = await post(
      server,
      "/ext/health",
      '{"jsonrpc":"2.0","method":"health.readiness","params":{"tags":["x"]},"id":1}',
    )
    expect(JSON.parse(body)).toMatchObject({ result: { checks: { bootstrapped: { message: [] } }, healthy: true } })
  })

  test("metrics count calls and responses", async () => {
    await using server = await serve(localApi().api)
    await post(server, P, HEIGHT)
    await post(server, P, '{"jsonrpc":"2.0","method":"platform.getTx","params":{},"id":1}')
    const { status, headers, body } = await exchange(server, { path: "/ext/metrics" })
    expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8" })
    const lines = body.split("\n")
    expect(lines).toContain('serac_rpc_requests_total{method="platform.getHeight",outcome="ok"} 1')
    expect(lines).toContain('serac_rpc_requests_total{method="platform.getTx",outcome="error"} 1')
    expect(lines).toContain('serac_rpc_request_seconds_count{method="platform.getHeight"} 1')
    expect(lines).toContain('serac_http_responses_total{status="200"} 2')
    expect(lines).toContain("serac_chain_height 0")
    expect(lines).toContain("serac_mempool_transactions 0")
    expect(body).toMatch(/serac_event_loop_lag_seconds\{quantile="0.99"\} \d/)
  })

  test("the description of the API is served and discovered", async () => {
    await using server = await serve(localApi().api)
    const page = await exchange(server, { path: "/ext/openrpc.json" })
    expect(page).toMatchObject({ status: 200, headers: { "content-type": "application/json" } })
    expect(JSON.parse(page.body).openrpc).toBe("1.3.2")
    for (const path of [P, "/ext/info", "/ext/keystore", "/ext/bc/X", "/ext/health"]) {
      const { body } = await post(server, path, '{"jsonrpc":"2.0","method":"rpc.discover","id":1}')
      expect(JSON.parse(body).result).toEqual(JSON.parse(page.body))
    }
    expect((await exchange(server, { method: "POST", path: "/ext/openrpc.json" })).status).toBe(405)
    await using other = await serve(localApi({ dialect: "avalanchego" }).api)
    expect((await exchange(other, { path: "/ext/openrpc.json" })).status).toBe(404)
  })

  test("wallets find AVAX and its fees where the X-Chain would be", async () => {
    const { api, node } = localApi()
    await using server = await serve(api)
    const ask = async (path: string, method: string, params = "{}") =>
      JSON.parse((await post(server, path, `{"jsonrpc":"2.0","method":"${method}","params":${params},"id":1}`)).body)
    const avax = await ask("/ext/bc/X", "avm.getAssetDescription", '{"assetID":"AVAX"}')
    expect(avax.result).toEqual({
      assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
      name: "Avalanche",
      symbol: "AVAX",
      denomination: "9",
    })
    expect(await ask("/ext/bc/X", "avm.getAssetDescription", `{"assetID":"${avax.result.assetID}"}`)).toEqual(avax)
    expect(node.genesis.avaxAssetID).toBeDefined()
    for (const path of ["/ext/X", "/ext/avm", "/ext/bc/avm", "/ext/bc/2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed"]) {
      expect((await ask(path, "avm.getTxFee", "[]")).result).toEqual({ txFee: "1000000", createAssetTxFee: "1000000" })
    }
    expect((await ask("/ext/bc/X", "avm.getUTXOs")).error.code).toBe(-32601)
  })

  test("unknown assets are refused in AvalancheGo's words", async () => {
    await using server = await serve(localApi({ dialect: "avalanchego" }).api)
    const ask = async (params: string) =>
      JSON.parse(
        (await post(server, "/ext/bc/X", `{"jsonrpc":"2.0","method":"avm.getAssetDescription","params":${params},"id":1}`)).body,
      ).error.message
    expect(await ask('{"assetID":"nope"}')).toBe("asset 'nope' not found")
    expect(await ask("{}")).toBe("asset '' not found")
    expect(await ask('{"assetID":"11111111111111111111111111111111LpoYY"}')).toBe("not found")
  })

  test("the wrapper's height and epoch are told under every name of the P-Chain", async () => {
    await using server = await serve(localApi().api)
    for (const path of [`${P}/proposervm`, "/ext/P/proposervm"]) {
      const ask = async (method: string) =>
        JSON.parse((await post(server, path, `{"jsonrpc":"2.0","method":"proposervm.${method}","id":1}`)).body)
      expect((await ask("getProposedHeight")).result).toEqual({ height: "0" })
      expect((await ask("getCurrentEpoch")).result).toEqual({ number: "1", startTime: "1794710000", pChainHeight: "0" })
    }
  })
})
