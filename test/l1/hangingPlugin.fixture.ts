import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { timestampFromMs } from "@bufbuild/protobuf/wkt"
import { GrpcClient } from "../../src/vmhost/grpc/grpcClient.js"
import { GrpcError, grpcStatus } from "../../src/vmhost/grpc/grpcError.js"
import { GrpcServer, type Handlers, serve } from "../../src/vmhost/grpc/grpcServer.js"
import { HTTP } from "../../src/vmhost/proto/http_pb.js"
import { Runtime } from "../../src/vmhost/proto/runtime_pb.js"
import { Message, VM } from "../../src/vmhost/proto/vm_pb.js"

// A plugin that hangs in the method that a file names: the genesis is the path of this file. It builds a block if there is a file of the same
// path that ends with `.tx`. The word `exit` ends it at its start, and `refuse METHOD` lets it refuse the calls of a method. It runs as a process
// of its own.

let path = ""
const orders = () => (path !== "" && existsSync(path) ? readFileSync(path, "utf8").trim() : "")
const hasTx = () => existsSync(`${path}.tx`)

let height = 0n
const idAt = (at: bigint) => Buffer.alloc(32, Number(at + 7n))
const timestamp = timestampFromMs(1_700_000_000_000)
const place = () => ({
  lastAcceptedId: idAt(height),
  lastAcceptedParentId: Buffer.alloc(32),
  height,
  bytes: Buffer.alloc(1),
  timestamp,
})

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Answers requests to its handler. */
async function handleSimple(_: unknown, signal: AbortSignal) {
  signal.addEventListener("abort", () => process.stdout.write("handleSimple has ended\n"))
  if (orders() === "handleSimple") await hang("handleSimple")
  return { code: 200, body: Buffer.from("{}") }
}

function hang(name: string): Promise<never> {
  process.stdout.write(`hangs in ${name}\n`)
  writeFileSync(`${path}.hangs`, "")
  return new Promise(() => {})
}

const vm: Partial<Handlers<(typeof VM)["method"]>> = {
  initialize: ({ genesisBytes }) => {
    path = Buffer.from(genesisBytes).toString()
    if (orders() === "exit") process.exit(3)
    return place()
  },
  setState: () => place(),
  async createHandlers() {
    const handler = new GrpcServer([serve(HTTP, { handle: () => ({}), handleSimple })], () => {})
    return { handlers: [{ prefix: "/rpc", serverAddr: await handler.listen() }] }
  },
  newHTTPHandler: () => ({ serverAddr: "" }),
  version: () => ({ version: "v0.0.1" }),
  async waitForEvent() {
    while (!hasTx()) await later(10)
    return { message: Message.BUILD_BLOCK }
  },
  buildBlock() {
    if (!hasTx()) throw new GrpcError(grpcStatus.unknown, "nothing to build")
    return { id: idAt(height + 1n), parentId: idAt(height), bytes: Buffer.alloc(1), height: height + 1n, timestamp }
  },
  blockAccept() {
    height++
    rmSync(`${path}.tx`)
    return {}
  },
  gather: () => ({ metricFamilies: [] }),
  shutdown: () => {
    setTimeout(() => process.exit(0), 1)
    return {}
  },
}

/** Hangs before each call that the file names, and says so. */
function hanging(name: string): (request: never) => unknown {
  const answer = Reflect.get(vm, name) ?? (() => ({}))
  return async (request) => {
    if (name === "initialize") path = Buffer.from((request as { genesisBytes: Uint8Array }).genesisBytes).toString()
    if (orders() === `refuse ${name}`) throw new GrpcError(grpcStatus.unknown, "it was told to refuse")
    return orders() === name ? hang(name) : answer(request)
  }
}

const all = new Proxy(vm, { get: (_, name) => hanging(String(name)) }) as Handlers<(typeof VM)["method"]>
const server = new GrpcServer([serve(VM, all)], () => {})
const addr = await server.listen()
const engine = new GrpcClient(process.env.AVALANCHE_VM_RUNTIME_ENGINE_ADDR ?? "")
await engine.call(Runtime.method.initialize, { protocolVersion: 46, addr })
