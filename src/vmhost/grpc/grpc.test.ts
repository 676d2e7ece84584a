import { connect, constants } from "node:http2"
import { afterEach, expect, test, vi } from "vitest"
import { Database, Error as DatabaseError } from "../proto/rpcdb_pb.js"
import { FrameReader, frameOf } from "./frame.js"
import { GrpcClient } from "./grpcClient.js"
import { errorIn, GrpcError, grpcStatus, statusHeaders } from "./grpcError.js"
import { GrpcServer, type Handlers, type ServerLimits, serve } from "./grpcServer.js"

type DatabaseHandlers = Handlers<{
  [N in keyof typeof Database.method]: (typeof Database.method)[N] & { methodKind: "unary" }
}>

const opened: { close(): void }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.close()
})

const unused = () => {
  throw new GrpcError(grpcStatus.unimplemented, "unused")
}

async function served(handlers: Partial<DatabaseHandlers>, limits: Partial<ServerLimits> = {}) {
  const faults: unknown[] = []
  const all = Object.fromEntries(Database.methods.map(({ localName }) => [localName, unused]))
  const server = new GrpcServer([serve(Database, { ...all, ...handlers } as never)], (error) => faults.push(error), limits)
  const address = await server.listen()
  const client = new GrpcClient(address)
  opened.push(client, server)
  return { client, server, address, faults }
}

test("a message has a prefix with its length, and comes in any pieces", () => {
  const frame = frameOf(new Uint8Array([1, 2, 3]))
  expect([...frame]).toEqual([0, 0, 0, 0, 3, 1, 2, 3])
  const reader = new FrameReader()
  for (const byte of frame) reader.add(Buffer.from([byte]))
  expect([...reader.end()]).toEqual([1, 2, 3])
})

test.each([
  ["nothing", []],
  ["less than its length says", [0, 0, 0, 0, 2, 1]],
  ["more than its length says", [0, 0, 0, 0, 0, 1]],
])("%s is not a message", (_name, bytes) => {
  const reader = new FrameReader()
  reader.add(Buffer.from(bytes))
  expect(() => reader.end()).toThrow("the bytes are not one message")
})

test("a compressed message and one that is too long are refused", () => {
  const compressed = new FrameReader()
  compressed.add(Buffer.from([1, 0, 0, 0, 0]))
  expect(() => compressed.end()).toThrow("compressed")
  const limited = new FrameReader(10)
  limited.add(Buffer.alloc(15))
  expect(() => limited.add(Buffer.alloc(1))).toThrow("longer than 10 bytes")
})

test("the text of an error survives percent-encoding", () => {
  const text = "100% of “this”\nand that"
  const headers = statusHeaders(2, text)
  expect(headers["grpc-message"]).toMatch(/^[\x20-\x7e]+$/)
  expect(errorIn(headers)).toMatchObject({ status: 2, message: text })
  expect(errorIn({ "grpc-status": "2", "grpc-message": "50%" })?.message).toBe("50%")
  expect(errorIn({ "grpc-status": "0" })).toBeUndefined()
  expect(errorIn({})?.status).toBe(grpcStatus.unavailable)
})

test("the details of an error are base64 without padding", () => {
  expect(errorIn({ "grpc-status": "2", "grpc-status-details-bin": "CAI" })?.details).toEqual(Buffer.from([8, 2]))
})

test("a call is answered, with defaults of protobuf", async () => {
  const { client } = await served({ get: ({ key }) => (key.length > 0 ? { value: key } : { err: DatabaseError.NOT_FOUND }) })
  expect([...(await client.call(Database.method.get, { key: Buffer.from("a") })).value]).toEqual([97])
  expect(await client.call(Database.method.get, {})).toMatchObject({ value: new Uint8Array(0), err: DatabaseError.NOT_FOUND })
})

test("a message of 32 MiB passes in both directions", async () => {
  const { client } = await served({ get: ({ key }) => ({ value: key }) })
  const key = Buffer.alloc(32 << 20, 7)
  const { value } = await client.call(Database.method.get, { key })
  expect(Buffer.compare(value, key)).toBe(0)
})

test("a message that is too long is refused, and the next call is answered", async () => {
  const { client } = await served({ get: ({ key }) => ({ value: key.subarray(0, 1) }) }, { message: 1 << 20 })
  await expect(client.call(Database.method.get, { key: Buffer.alloc(1 << 20) })).rejects.toMatchObject({ status: 8 })
  expect([...(await client.call(Database.method.get, { key: Buffer.from("a") })).value]).toEqual([97])
})

test("all messages together that are being received have a limit", async () => {
  const { client } = await served({ get: ({ key }) => ({ value: key.subarray(0, 1) }) }, { receiving: 1 << 20 })
  const key = Buffer.alloc(800 << 10)
  const calls = await Promise.allSettled([1, 2, 3, 4].map(() => client.call(Database.method.get, { key })))
  expect(calls.some(({ status }) => status === "rejected")).toBe(true)
  expect([...(await client.call(Database.method.get, { key: Buffer.from("a") })).value]).toEqual([97])
})

test("calls beyond the limit of all connections are refused, and those before are answered", async () => {
  const waiting: (() => void)[] = []
  const handlers: Partial<DatabaseHandlers> = { get: () => new Promise((resolve) => waiting.push(() => resolve({}))) }
  const { address } = await served(handlers, { calls: 50 })
  const clients = [1, 2, 3].map(() => new GrpcClient(address))
  opened.push(...clients)
  const calls = clients.map((client) => Array.from({ length: 20 }, () => client.call(Database.method.get, {})))
  const outcomes = Promise.allSettled(calls.flat())
  await vi.waitFor(() => expect(waiting.length).toBe(50))
  for (const answer of waiting) answer()
  const refused = (await outcomes).filter(({ status }) => status === "rejected")
  expect(refused.length).toBe(10)
  expect(refused).toContainEqual({ status: "rejected", reason: expect.objectContaining({ status: 8 }) })
})

test("a fifth connection is ended, and the others are answered", async () => {
  const { address } = await served({ get: ({ key }) => ({ value: key }) })
  const clients = [1, 2, 3, 4, 5].map(() => new GrpcClient(address))
  opened.push(...clients)
  const [fifth, ...others] = [...clients].reverse() as [GrpcClient, ...GrpcClient[]]
  for (const client of others) await client.call(Database.method.get, {})
  await expect(fifth.call(Database.method.get, {})).rejects.toMatchObject({ status: grpcStatus.unavailable })
  for (const client of others) await client.call(Database.method.get, {})
})

test("a thousand calls at a time are all answered", async () => {
  const { client } = await served({ get: ({ key }) => ({ value: key }) })
  const keys = Array.from({ length: 1000 }, (_, i) => Buffer.from(String(i)))
  const answers = await Promise.all(keys.map((key) => client.call(Database.method.get, { key })))
  expect(answers.map(({ value }) => Buffer.from(value).toString())).toEqual(keys.map(String))
})

test("the error of a handler reaches the caller; a fault is reported, too", async () => {
  const { client, faults } = await served({
    put: () => {
      throw new GrpcError(grpcStatus.resourceExhausted, "full – 1")
    },
    has: () => {
      throw new TypeError("a fault")
    },
  })
  await expect(client.call(Database.method.put, {})).rejects.toMatchObject({ status: 8, message: "full – 1" })
  expect(faults).toEqual([])
  await expect(client.call(Database.method.has, {})).rejects.toMatchObject({ status: 2, message: "a fault" })
  expect(faults).toEqual([new TypeError("a fault")])
})

test("a method that is not served is unimplemented", async () => {
  const server = new GrpcServer([], () => {})
  const client = new GrpcClient(await server.listen())
  opened.push(client, server)
  await expect(client.call(Database.method.get, {})).rejects.toMatchObject({ status: grpcStatus.unimplemented })
})

test("a cancelled call ends on both sides", async () => {
  const cancel = new AbortController()
  let begun: () => void = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const ended = new Promise<void>((resolve) => {
    const handler: DatabaseHandlers["get"] = (_request, signal) => {
      signal.addEventListener("abort", () => resolve())
      begun()
      return new Promise(() => {})
    }
    void served({ get: handler }).then(async ({ client }) => {
      const call = client.call(Database.method.get, {}, { signal: cancel.signal })
      call.catch(() => {})
      await hasBegun
      cancel.abort()
      await expect(call).rejects.toMatchObject({ status: grpcStatus.cancelled })
    })
  })
  await ended
  const { client } = await served({})
  await expect(client.call(Database.method.get, {}, { signal: cancel.signal })).rejects.toMatchObject({ status: 1 })
})

test("calls fail when the server ends, and the next one connects again", async () => {
  const { client, address, server } = await served({ get: () => new Promise(() => {}), has: () => ({ has: true }) })
  expect(await client.call(Database.method.has, {})).toMatchObject({ has: true })
  const call = client.call(Database.method.get, {})
  await client.call(Database.method.has, {})
  server.close()
  await expect(call).rejects.toMatchObject({ status: grpcStatus.unavailable })
  await expect(client.call(Database.method.has, {})).rejects.toMatchObject({ status: grpcStatus.unavailable })
  client.close()
  await expect(new GrpcClient(address).call(Database.method.has, {})).rejects.toBeInstanceOf(GrpcError)
})

test("bytes that are not a message get an error in headers alone", async () => {
  const { address } = await served({})
  const session = connect(`http://${address}`)
  opened.push(session)
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: "POST",
    [constants.HTTP2_HEADER_PATH]: "/rpcdb.Database/Get",
  })
  const headers = await new Promise<Record<string, unknown>>((resolve) => {
    stream.on("response", resolve)
    stream.end(Buffer.from([9]))
  })
  expect(headers).toMatchObject({ ":status": 200, "grpc-status": "2", "content-type": "application/grpc" })
})

test("a connection that is closed at any moment while it opens fails its call, and nothing else", async () => {
  const { address } = await served({ get: () => new Promise(() => {}) })
  for (let turns = 0; turns < 20; turns++) {
    const client = new GrpcClient(address)
    const refused = expect(client.call(Database.method.get, {})).rejects.toMatchObject({ status: grpcStatus.unavailable })
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    client.close()
    await refused
  }
})
