import { existsSync, readFileSync, rmSync } from "node:fs"
import { timestampFromMs } from "@bufbuild/protobuf/wkt"
import { GrpcClient } from "../../src/vmhost/grpc/grpcClient.js"
import { GrpcError, grpcStatus } from "../../src/vmhost/grpc/grpcError.js"
import { GrpcServer, type Handlers, serve } from "../../src/vmhost/grpc/grpcServer.js"
import { Runtime } from "../../src/vmhost/proto/runtime_pb.js"
import { SharedMemory } from "../../src/vmhost/proto/sharedmemory_pb.js"
import { Message, VM } from "../../src/vmhost/proto/vm_pb.js"
import type { LyingOrder } from "./lying.js"

// A C-Chain's VM that makes the block which a file has, and asks for the changes of the memory which the file names, when the file says it. Its
// configuration names the file. It runs as a process of its own.

let [path, address, height] = ["", "", 0n]
let memory: GrpcClient | undefined

/** The order that is being followed. */
let order: LyingOrder | undefined
const bytes = (hex: string) => Buffer.from(hex, "hex")
const idAt = (at: bigint) => Buffer.alloc(32, Number(at % 200n) + 7)
const timestamp = timestampFromMs(1_700_000_000_000)
const lastAccepted = () => ({ lastAcceptedId: idAt(height), lastAcceptedParentId: Buffer.alloc(32), height })
const place = () => ({ ...lastAccepted(), bytes: Buffer.alloc(1), timestamp })

/** Asks for the changes that are due at this moment. Refusals of the host do not stop it. */
async function ask(moment: LyingOrder["asks"][number]["at"]): Promise<void> {
  for (const { at, requests, isElsewhere } of order?.asks ?? []) {
    if (at !== moment) continue
    const host = isElsewhere ? new GrpcClient(address) : (memory as GrpcClient)
    const wanted = requests.map(({ peer, removes, puts }) => ({
      peerChainId: bytes(peer),
      removeRequests: removes.map(bytes),
      putRequests: puts.map(({ key, value, traits }) => ({ key: bytes(key), value: bytes(value), traits: traits.map(bytes) })),
    }))
    const batches = [{ puts: [{ key: Buffer.from("row"), value: Buffer.from(moment) }], deletes: [] }]
    await host.call(SharedMemory.method.apply, { requests: wanted, batches }).catch(() => {})
  }
}

const vm: Partial<Handlers<(typeof VM)["method"]>> = {
  initialize: ({ configBytes, serverAddr }) => {
    path = (JSON.parse(Buffer.from(configBytes).toString()) as { orders: string }).orders
    address = serverAddr
    memory = new GrpcClient(serverAddr)
    return place()
  },
  setState: () => place(),
  createHandlers: () => ({ handlers: [] }),
  newHTTPHandler: () => ({ serverAddr: "" }),
  version: () => ({ version: "v0.0.1" }),
  async waitForEvent() {
    while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 5))
    return { message: Message.BUILD_BLOCK }
  },
  async buildBlock() {
    if (!existsSync(path)) throw new GrpcError(grpcStatus.unknown, "nothing to build")
    const followed = JSON.parse(readFileSync(path, "utf8")) as LyingOrder
    order = followed
    rmSync(path)
    await ask("build")
    return { id: idAt(height + 1n), parentId: idAt(height), bytes: bytes(followed.block), height: height + 1n, timestamp }
  },
  async blockVerify() {
    await ask("verify")
    return { timestamp }
  },
  async blockAccept() {
    await ask("accept")
    height++
    setTimeout(() => void ask("later"), 10)
    return {}
  },
  gather: () => ({ metricFamilies: [] }),
  shutdown: () => {
    setTimeout(() => process.exit(0), 1)
    return {}
  },
}

const all = new Proxy(vm, { get: (_, name) => Reflect.get(vm, name) ?? (() => ({})) }) as Handlers<(typeof VM)["method"]>
const server = new GrpcServer([serve(VM, all)], () => {})
const addr = await server.listen()
const engine = new GrpcClient(process.env.AVALANCHE_VM_RUNTIME_ENGINE_ADDR ?? "")
await engine.call(Runtime.method.initialize, { protocolVersion: 45, addr })
