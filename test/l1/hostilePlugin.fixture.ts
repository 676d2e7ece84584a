import { connect } from "node:http2"
import { timestampFromMs } from "@bufbuild/protobuf/wkt"
import { GrpcClient } from "../../src/vmhost/grpc/grpcClient.js"
import { GrpcServer, type Handlers, serve } from "../../src/vmhost/grpc/grpcServer.js"
import { AppSender } from "../../src/vmhost/proto/appsender_pb.js"
import { HTTP } from "../../src/vmhost/proto/http_pb.js"
import { Database } from "../../src/vmhost/proto/rpcdb_pb.js"
import { Runtime } from "../../src/vmhost/proto/runtime_pb.js"
import { type InitializeRequest, State, VM } from "../../src/vmhost/proto/vm_pb.js"

// A plugin that starts a chain as it should, and then does what its genesis names. It runs as a process of its own.

/** Calls something again and again, this many at a time. Refusals do not stop it. */
function flood(atOnce: number, call: () => Promise<unknown>): void {
  const again = async (): Promise<void> => {
    for (;;) {
      await call().catch(() => new Promise((resolve) => setTimeout(resolve, 1)))
    }
  }
  for (let i = 0; i < atOnce; i++) void again()
}

/** The host as a plugin sees it. */
interface Host {
  readonly database: GrpcClient
  readonly services: GrpcClient
  readonly request: InitializeRequest
}

const key = (number: number) => Buffer.from(number.toString(16).padStart(16, "0"), "hex")
let count = 0

const deeds: Readonly<Record<string, (host: Host) => void>> = {
  // Calls to the database over ten connections, more than the host answers at a time.
  calls: ({ request }) => {
    for (let i = 0; i < 10; i++) {
      const database = new GrpcClient(request.dbServerAddr)
      flood(1_000, () => database.call(Database.method.get, { key: key(1) }))
    }
  },
  // Requests to itself that it never answers.
  messages: ({ services, request }) => {
    const to = { nodeIds: [request.nodeId], request: Buffer.alloc(10_000) }
    flood(500, () => services.call(AppSender.method.sendAppRequest, { ...to, requestId: count++ }))
  },
  // Messages beyond the limit, and many large ones at a time.
  "huge messages": ({ request }) => {
    for (const size of [200, 100, 100, 100, 100]) {
      const database = new GrpcClient(request.dbServerAddr)
      const value = Buffer.alloc(size << 20)
      flood(1, () => database.call(Database.method.put, { key: key(1), value }))
    }
  },
  // Calls whose messages never end.
  "endless streams": ({ request }) => {
    for (let i = 0; i < 6; i++) {
      const session = connect(`http://${request.dbServerAddr}`)
      session.on("error", () => {})
      session.on("remoteSettings", () => {
        for (let j = 0; j < 2_000; j++) {
          const stream = session.request({ ":method": "POST", ":path": "/rpcdb.Database/Get" })
          stream.on("error", () => {})
          setInterval(() => stream.writable && stream.write(Buffer.alloc(16)), 100)
        }
      })
    }
  },
  // A database of many rows, and lists of all of them.
  lists: ({ database }) => {
    const rows = () => Array.from({ length: 10_000 }, () => ({ key: key(count++), value: Buffer.alloc(8) }))
    const list = async () => {
      const { id } = await database.call(Database.method.newIteratorWithStartAndPrefix, {})
      await database.call(Database.method.iteratorRelease, { id })
    }
    void (async () => {
      for (let i = 0; i < 30; i++) await database.call(Database.method.writeBatch, { puts: rows(), deletes: [] })
      flood(50, list)
    })()
  },
  // Rows without end.
  rows: ({ database }) => {
    const value = Buffer.alloc(1 << 20)
    flood(16, () => database.call(Database.method.put, { key: key(count++), value }))
  },
  // Memory without end.
  memory: () => {
    const kept: Buffer[] = []
    setInterval(() => kept.push(Buffer.alloc(64 << 20, 1)), 20)
  },
}

const place = { lastAcceptedId: Buffer.alloc(32, 7), lastAcceptedParentId: Buffer.alloc(32), height: 0n, bytes: Buffer.alloc(1) }
const timestamp = timestampFromMs(1_700_000_000_000)
let host: Host | undefined

/** A handler of HTTP requests, whose answers are larger than a message may be. */
const handlers = serve(HTTP, {
  handle: () => ({}),
  handleSimple: () => ({ code: 200, body: Buffer.alloc(200 << 20) }),
} as Handlers<(typeof HTTP)["method"]>)

const vm: Partial<Handlers<(typeof VM)["method"]>> = {
  initialize: (request) => {
    host = { request, database: new GrpcClient(request.dbServerAddr), services: new GrpcClient(request.serverAddr) }
    return { ...place, timestamp }
  },
  setState: ({ state }) => {
    const deed = deeds[Buffer.from(host?.request.genesisBytes ?? []).toString()]
    if (host && state === State.NORMAL_OP) deed?.(host)
    return { ...place, timestamp }
  },
  createHandlers: async () => {
    const server = new GrpcServer([handlers], () => {})
    return { handlers: [{ prefix: "", serverAddr: await server.listen() }] }
  },
  version: () => ({ version: "v0.0.1" }),
  waitForEvent: () => new Promise(() => {}),
  shutdown: () => process.exit(0),
}

const all = new Proxy(vm, { get: (target, name) => Reflect.get(target, name) ?? (() => ({})) }) as Handlers<(typeof VM)["method"]>
const server = new GrpcServer([serve(VM, all)], () => {})
const addr = await server.listen()
const engine = new GrpcClient(process.env.AVALANCHE_VM_RUNTIME_ENGINE_ADDR ?? "")
await engine.call(Runtime.method.initialize, { protocolVersion: Number(process.env.PROTOCOL), addr })
