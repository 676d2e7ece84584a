import { timestampFromMs } from "@bufbuild/protobuf/wkt"
import { toHex } from "../../core/lib/bytes.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { type ServedService, serve } from "../grpc/grpcServer.js"
import { AppSender } from "../proto/appsender_pb.js"
import { VM } from "../proto/vm_pb.js"
import type { VMPort } from "../vmPort.js"

/** The time in which a request must be answered, milliseconds. */
const TIMEOUT = 10_000

/** The maximum number of requests of a plugin that wait for their answers. */
const MAX_WAITING = 4096

/** The code and text of AvalancheGo for a node that does not answer. */
const TIMED_OUT = { errorCode: -1, errorMessage: "timed out" }

/** What messages between nodes need. */
export interface AppSenderPorts {
  /** The ID of this node. */
  readonly nodeID: Uint8Array
  readonly vm: VMPort
  /** Returns the machine's clock, Unix milliseconds. */
  now(): number
  /** Calls back after a time in milliseconds. Returns a function that cancels the timer. */
  after(milliseconds: number, task: () => void): () => void
  onFault(error: unknown, where: string): void
}

/** Delivers the messages of a VM. This node is alone: it gets its own messages, and no other node answers. */
export function appSenderService(ports: AppSenderPorts): ServedService {
  const messages = new AppMessages(ports)
  return serve(AppSender, {
    sendAppRequest: ({ nodeIds, requestId, request }) => {
      for (const nodeID of nodeIds) messages.request(nodeID, requestId, request)
      return {}
    },
    sendAppResponse: ({ requestId, response }) => {
      messages.answer(requestId, (vm, nodeId) => vm.call(VM.method.appResponse, { nodeId, requestId, response }))
      return {}
    },
    sendAppError: ({ requestId, errorCode, errorMessage }) => {
      messages.answer(requestId, (vm, nodeId) =>
        vm.call(VM.method.appRequestFailed, { nodeId, requestId, errorCode, errorMessage }),
      )
      return {}
    },
    sendAppGossip: () => ({}),
  })
}

/** The requests of a VM to its own node that wait for their answers. Each gets exactly one: AvalancheGo's VMs treat a second one as fatal. */
class AppMessages {
  readonly #ports: AppSenderPorts
  readonly #waiting = new Map<number, () => void>()

  constructor(ports: AppSenderPorts) {
    this.#ports = ports
  }

  request(nodeID: Uint8Array, requestId: number, request: Uint8Array): void {
    const { vm, now, after } = this.#ports
    if (toHex(nodeID) !== toHex(this.#ports.nodeID)) {
      this.#later(() => vm.call(VM.method.appRequestFailed, { nodeId: nodeID, requestId, ...TIMED_OUT }))
      return
    }
    if (this.#waiting.size >= MAX_WAITING) throw new GrpcError(grpcStatus.resourceExhausted, "too many requests wait for answers")
    const cancel = after(TIMEOUT, () => this.answer(requestId, this.#timeOut(requestId)))
    this.#waiting.set(requestId, cancel)
    const deadline = timestampFromMs(now() + TIMEOUT)
    this.#later(() => vm.call(VM.method.appRequest, { nodeId: nodeID, requestId, deadline, request }))
  }

  /** Delivers the answer to a request that waits for one. */
  answer(requestId: number, deliver: (vm: VMPort, nodeID: Uint8Array) => Promise<unknown>): void {
    const cancel = this.#waiting.get(requestId)
    if (!cancel) return
    cancel()
    this.#waiting.delete(requestId)
    this.#later(() => deliver(this.#ports.vm, this.#ports.nodeID))
  }

  #timeOut(requestId: number) {
    return (vm: VMPort, nodeId: Uint8Array) => vm.call(VM.method.appRequestFailed, { nodeId, requestId, ...TIMED_OUT })
  }

  /** Calls the plugin after the call that caused it has returned. */
  #later(deliver: () => Promise<unknown>): void {
    setImmediate(() => {
      deliver().catch((error) => {
        if (!(error instanceof GrpcError && error.status === grpcStatus.unavailable)) this.#ports.onFault(error, "app message")
      })
    })
  }
}
