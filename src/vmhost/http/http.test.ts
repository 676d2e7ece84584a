import { create, toBinary } from "@bufbuild/protobuf"
import { anyPack } from "@bufbuild/protobuf/wkt"
import { expect, test, vi } from "vitest"
import { GrpcError } from "../grpc/grpcError.js"
import { Conn, ErrorCode } from "../proto/conn_pb.js"
import { HandleSimpleHTTPResponseSchema } from "../proto/http_pb.js"
import { StatusSchema } from "../proto/status_pb.js"
import { clientOf } from "../served.fixture.js"
import { canonicalName, headerElements, headerList, statusOf } from "./headers.js"
import { connectionServices, goTimeMilliseconds, PluginSocket } from "./pluginSocket.js"
import { callHandler } from "./simpleRequest.js"

test("header names are written as Go writes them, and joined; Host is left out", () => {
  expect(canonicalName("sec-WebSocket-key")).toBe("Sec-Websocket-Key")
  expect(headerElements(["content-type", "a/b", "Host", "h", "ACCEPT", "1", "accept", "2"])).toEqual([
    { key: "Content-Type", values: ["a/b"] },
    { key: "Accept", values: ["1", "2"] },
  ])
})

test("headers that the server sets itself, or that HTTP does not allow, do not leave a plugin", () => {
  const elements = [
    { key: "Content-Length", values: ["3"] },
    { key: "transfer-encoding", values: ["identity"] },
    { key: "Connection", values: ["close"] },
    { key: "X-One", values: ["1", "2", "a\r\nb"] },
    { key: "X Two", values: ["3"] },
  ]
  expect(headerList(elements)).toEqual(["X-One", "1", "X-One", "2"])
  expect([99, 100, 405, 599, 600].map(statusOf)).toEqual([500, 100, 405, 599, 500])
})

const request = {
  method: "POST",
  url: "/ext/bc/x/rpc?a",
  headers: ["content-type", "j"],
  body: Buffer.from("{}"),
  responseHeaders: ["Vary", "Origin"],
}

test("a request passes with its headers, and the answer has those of the plugin", async () => {
  let seen: unknown
  const handler = {
    async call(_method: unknown, input: unknown) {
      seen = input
      return create(HandleSimpleHTTPResponseSchema, {
        code: 201,
        headers: [{ key: "A", values: ["b"] }],
        body: Buffer.from("ok"),
      })
    },
  }
  expect(await callHandler(handler as never, request)).toEqual({ status: 201, headers: ["A", "b"], body: Buffer.from("ok") })
  expect(seen).toEqual({
    method: "POST",
    url: "/ext/bc/x/rpc?a",
    requestHeaders: [{ key: "Content-Type", values: ["j"] }],
    body: Buffer.from("{}"),
    responseHeaders: [{ key: "Vary", values: ["Origin"] }],
  })
})

test("an answer with status 500 is unpacked from the error that carries it; other errors are thrown", async () => {
  const answer = create(HandleSimpleHTTPResponseSchema, { code: 500, headers: [], body: Buffer.from("broken") })
  const details = toBinary(
    StatusSchema,
    create(StatusSchema, { code: 2, details: [anyPack(HandleSimpleHTTPResponseSchema, answer)] }),
  )
  const failing = (error: GrpcError) => ({ call: () => Promise.reject(error) }) as never
  const unpacked = await callHandler(failing(new GrpcError(2, "x", details)), request)
  expect({ ...unpacked, body: String(Buffer.from(unpacked.body)) }).toEqual({ status: 500, headers: [], body: "broken" })
  await expect(callHandler(failing(new GrpcError(2, "x", Buffer.from("no"))), request)).rejects.toThrow("x")
  await expect(callHandler(failing(new GrpcError(14, "gone")), request)).rejects.toThrow("gone")
})

test("Go's binary time is read; its zero time is no deadline", () => {
  const time = Buffer.from("010000000edeacd68007270e00ffff", "hex")
  expect(goTimeMilliseconds(time)).toBe(new Date("2024-10-25T00:00:00.120Z").getTime())
  expect(goTimeMilliseconds(Buffer.from("01000000000000000000000000ffff", "hex"))).toBeUndefined()
  expect(goTimeMilliseconds(Buffer.alloc(3))).toBeUndefined()
})

/** A time in Go's binary form. */
function goTime(milliseconds: number): Buffer {
  const bytes = Buffer.alloc(15)
  bytes[0] = 1
  bytes.writeBigInt64BE(BigInt(Math.floor(milliseconds / 1000)) + 62_135_596_800n, 1)
  return bytes
}

test("a plugin reads what a client sends, waits for it, and meets its end", async () => {
  const socket = new PluginSocket()
  const conn = await clientOf(...connectionServices(socket, () => 0))
  const waiting = conn.call(Conn.method.read, { length: 3 })
  socket.write("hello")
  expect(String((await waiting).read)).toBe("hel")
  expect(String((await conn.call(Conn.method.read, { length: 1024 })).read)).toBe("lo")
  const last = conn.call(Conn.method.read, { length: 1024 })
  socket.end()
  expect((await last).error).toMatchObject({ errorCode: ErrorCode.EOF })
})

test("what a plugin writes can be read, and a write after the end says so", async () => {
  const socket = new PluginSocket()
  const conn = await clientOf(...connectionServices(socket, () => 0))
  const got = new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(String(bytes))))
  expect(await conn.call(Conn.method.write, { payload: Buffer.from("hi") })).toMatchObject({ length: 2 })
  expect(await got).toBe("hi")
  await conn.call(Conn.method.close, {})
  expect(await conn.call(Conn.method.write, { payload: Buffer.from("hi") })).toMatchObject({ error: "the client has gone" })
})

test("writes at the same time are all answered, and a slow client gets what was written before the end", async () => {
  const socket = new PluginSocket()
  const conn = await clientOf(...connectionServices(socket, () => 0))
  const payload = Buffer.alloc(100_000, 7)
  const writes = Promise.all([1, 2, 3].map(() => conn.call(Conn.method.write, { payload })))
  await vi.waitFor(() => expect(socket.readableLength).toBe(300_000))
  const closed = conn.call(Conn.method.close, {})
  const last = conn.call(Conn.method.read, { length: 1 })
  let received = 0
  for await (const bytes of socket) received += (bytes as Buffer).length
  expect(received).toBe(300_000)
  expect((await writes).map(({ length }) => length)).toEqual([100_000, 100_000, 100_000])
  expect((await last).error).toMatchObject({ errorCode: ErrorCode.EOF })
  await closed
})

test("a deadline ends a read that waits already, and none lifts it", async () => {
  const socket = new PluginSocket()
  const conn = await clientOf(...connectionServices(socket, () => 0))
  const waiting = conn.call(Conn.method.read, { length: 1 })
  await conn.call(Conn.method.setReadDeadline, { time: goTime(1000) })
  expect((await waiting).error).toMatchObject({ errorCode: ErrorCode.OS_ERR_DEADLINE_EXCEEDED })
  expect((await conn.call(Conn.method.read, { length: 1 })).error?.errorCode).toBe(ErrorCode.OS_ERR_DEADLINE_EXCEEDED)
  await conn.call(Conn.method.setDeadline, { time: Buffer.from("01000000000000000000000000ffff", "hex") })
  await conn.call(Conn.method.setWriteDeadline, { time: goTime(1000) })
  socket.write("x")
  expect(String((await conn.call(Conn.method.read, { length: 1 })).read)).toBe("x")
})

test("a deadline is meant in the time that the plugin shows", async () => {
  const socket = new PluginSocket()
  const year = 31_536_000_000
  const conn = await clientOf(...connectionServices(socket, () => year))
  socket.write("x")
  await conn.call(Conn.method.setReadDeadline, { time: goTime(Date.now() + year - 2000) })
  expect((await conn.call(Conn.method.read, { length: 1 })).error?.errorCode).toBe(ErrorCode.OS_ERR_DEADLINE_EXCEEDED)
  await conn.call(Conn.method.setReadDeadline, { time: goTime(Date.now() + year + 60_000) })
  expect(String((await conn.call(Conn.method.read, { length: 1 })).read)).toBe("x")
})
