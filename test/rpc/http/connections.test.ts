import { once } from "node:events"
import { connect } from "node:net"
import { expect, test } from "vitest"
import { Keystore } from "../../../src/keystore/keystore.js"
import { HASH_SIZE } from "../../../src/keystore/passwordHash.js"
import { keystoreTables } from "../../../src/keystore/tables.js"
import { MemoryStore } from "../../../src/store/memory/memoryStore.js"
import { exchange, localApi, post, raw, serve, type TestServer } from "../../fixtures/api.js"
import { HEIGHT, HEIGHT_ANSWER, P, requestText } from "./question.js"

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

test("requests sent one after the other without waiting are answered in order", async () => {
  await using server = await serve(localApi().api)
  // A connection may have 16 unanswered requests.
  const ids = Array.from({ length: 16 }, (_, i) => i)
  const body = (id: number) => HEIGHT.replace('"id":1', `"id":${id}`)
  const sent = ids.map((id) => requestText(body(id), id === 15 ? "Connection: close\r\n" : "")).join("")
  const got = await raw(server.port, sent)
  expect([...got.matchAll(/"id":(\d+)}/g)].map((match) => Number(match[1]))).toEqual(ids)
})

test("a connection is used again, also after a refusal", async () => {
  await using server = await serve(localApi().api)
  const get = `GET ${P} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const got = await raw(server.port, get + requestText(HEIGHT) + requestText("{", "Connection: close\r\n"))
  expect([...got.matchAll(/HTTP\/1.1 (\d+)/g)].map((match) => match[1])).toEqual(["405", "200", "200"])
})

test("a request that does not arrive in time is ended, also if the client keeps its side of the connection open", async () => {
  await using server = await serve(localApi().api, { readTimeout: 100, headersTimeout: 100 })
  const open = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true })
  open.write("POST /ext/bc/P HTTP/1.1\r\nHo")
  await once(open.resume(), "end")
  // A write to a closed connection ends it here, too; a half-open connection would accept writes forever.
  open.on("error", () => {})
  const writing = setInterval(() => open.write("x"), 1)
  await new Promise<void>((resolve) => open.once("close", () => resolve()))
  clearInterval(writing)
  expect(await raw(server.port, "POST /ext/bc/P HTTP/1.1\r\nHo")).toMatch(/^HTTP\/1.1 408/)
  expect(await raw(server.port, requestText(HEIGHT).slice(0, -10))).toMatch(/^HTTP\/1.1 408/)
})

test("a request that does not arrive in time says nothing on a connection whose earlier request is still being answered", async () => {
  await using server = await serve(localApi().api, { readTimeout: 100, headersTimeout: 100 })
  const statuses = async (bytes: string) =>
    [...(await raw(server.port, bytes)).matchAll(/HTTP\/1.1 (\d+)/g)].map((match) => match[1])
  const stream = (more = "") => `GET ${P}/events HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
  expect(await statuses(`${stream()}POST ${P} HTTP/1.1\r\nHo`)).toEqual(["200"])
  expect(await statuses(stream() + requestText(HEIGHT).slice(0, -10))).toEqual(["200"])
  // The stream is the answer to a request whose body does not arrive.
  expect(await statuses(stream("Content-Length: 5\r\n"))).toEqual(["200"])
  expect(await statuses(requestText(HEIGHT) + requestText(HEIGHT).slice(0, -10))).toEqual(["200", "408"])
})

test("bytes that are not HTTP get an error, and the connection is closed", async () => {
  await using server = await serve(localApi().api)
  expect(await raw(server.port, "nonsense\r\n\r\n")).toBe(
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 15\r\nConnection: close\r\n\r\n400 Bad Request",
  )
  expect(await raw(server.port, `POST ${P} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/)
})

test("a method that Node does not know is refused", async () => {
  await using server = await serve(localApi().api)
  for (const method of ["post", "POSTX", "FOO", "get"]) {
    expect(await raw(server.port, `${method} ${P} HTTP/1.1\r\nHost: localhost\r\n\r\n{}`)).toMatch(/^HTTP\/1.1 400 /)
  }
  expect(await raw(server.port, `PUT ${P} HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense`)).toMatch(
    /^HTTP\/1.1 405 .*HTTP\/1.1 400 /s,
  )
})

test("a malformed chunk gets 400, and requests before malformed bytes get their answers", async () => {
  await using server = await serve(localApi().api)
  const chunked = `POST ${P} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const statuses = async (bytes: string) =>
    [...(await raw(server.port, bytes)).matchAll(/HTTP\/1.1 (\d+)/g)].map((match) => match[1])
  expect(await statuses(`${chunked}zz\r\n`)).toEqual(["400"])
  expect(await statuses(`${requestText(HEIGHT).repeat(3)}${chunked}2\r\n{}x`)).toEqual(["200", "200", "200", "400"])
  expect(await statuses(`${requestText(HEIGHT).repeat(3)}GARBAGE\r\n\r\n`)).toEqual(["200", "200", "200", "400"])
})

test("a request with two Host headers is refused", async () => {
  await using server = await serve(localApi().api)
  const got = await raw(server.port, requestText(HEIGHT, "Host: localhost\r\nConnection: close\r\n"))
  expect(got).toMatch(/^HTTP\/1.1 400 /)
})

test("a client that expects 100 Continue gets it, or the refusal of its request", async () => {
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

test("an internal error ends one connection and not the server", async () => {
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

test("an id of 65,536 characters is sent back, and a longer one is refused", async () => {
  await using server = await serve(localApi().api)
  const answer = async (id: string) => post(server, P, HEIGHT.replace('"id":1', `"id":${id}`))
  const longest = `["${"a".repeat(65_527)} b", 1]`
  expect(longest.length).toBe(65_536)
  const { status, body } = await answer(longest)
  expect({ status, length: body.length }).toEqual({ status: 200, length: HEIGHT_ANSWER.length + longest.length - 2 })
  for (const length of [65_535, 15_000_000]) {
    const refused = JSON.parse((await answer(`"${"a".repeat(length)}"`)).body)
    expect(refused).toMatchObject({ id: null, error: { data: { code: "rpc.bad_request" } } })
  }
})

const CREATE = '{"jsonrpc":"2.0","method":"keystore.createUser","params":{"username":"a","password":"Lemon-Candle-4711"},"id":1}'

/** A keystore whose hashes wait for this promise. */
function slowKeystore(until: Promise<void>): Keystore {
  const hash = async () => {
    await until
    return new Uint8Array(HASH_SIZE)
  }
  return new Keystore(new MemoryStore({ tables: [], tablesBesideChain: keystoreTables }), { hash })
}

/**
 * Makes a call, and resolves when the server has received it. The promise of the answer is inside an object, so that it is not awaited yet.
 */
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
  const { api } = localApi({ keystore: slowKeystore(answered) })
  await using server = await serve(api, { maxPending: 1 })
  const { call } = await begun(server)
  const refused = await post(server, P, HEIGHT)
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } })
  expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32005, data: { code: "rpc.busy" } } })
  answer()
  expect(await call).toMatchObject({ status: 200 })
  expect((await post(server, P, HEIGHT)).status).toBe(200)
})

test("a server that stops finishes the open requests and takes no new ones", async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { api } = localApi({ keystore: slowKeystore(answered) })
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
  const { api } = localApi({ keystore: slowKeystore(new Promise(() => {})) })
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

test("a connection that never had a request does not keep the server from stopping", async () => {
  const { api } = localApi()
  const server = await serve(api, { stopTimeout: 2 ** 30 })
  const socket = connect(server.port, "127.0.0.1")
  await once(socket, "connect")
  // Connections are accepted in their order: the server knows the silent one by now.
  expect((await post(server, P, HEIGHT)).status).toBe(200)
  const ended = once(socket, "close")
  await server.server.close()
  await ended
  api.close()
})
