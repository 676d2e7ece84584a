import { create, fromBinary, toBinary } from "@bufbuild/protobuf"
import { timestampFromMs } from "@bufbuild/protobuf/wkt"
import { decode } from "../../core/codec/decode.js"
import { toHex } from "../../core/lib/bytes.js"
import { valueOrUndefined } from "../../core/lib/invalid.js"
import { SignatureRequestSchema, SignatureResponseSchema } from "../../core/p2p/proto/app_pb.js"
import type { ID } from "../../core/types/id.js"
import { unsignedMessage } from "../../core/types/warp/message.js"
import { vmError } from "../errors.js"
import type { VMPort } from "../grpc/grpcClient.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { type ServedService, serve } from "../grpc/grpcServer.js"
import { AppSender } from "../proto/appsender_pb.js"
import { VM } from "../proto/vm_pb.js"

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
  /** The chain of the VM, and its network. */
  readonly chainID: ID
  readonly networkID: number
  readonly vm: VMPort
  /** Returns a function that signs Warp messages for another validator of the chain; `undefined` if its key is not here. */
  signerOf(nodeID: Uint8Array): ((message: Uint8Array) => Uint8Array) | undefined
  /** Returns the machine's clock, Unix milliseconds. */
  now(): number
  /** Calls back after a time in milliseconds. Returns a function that cancels the timer. */
  after(milliseconds: number, task: () => void): () => void
  onFault(error: unknown, where: string): void
}

/** The node that asks a VM for the signature of another validator. No validator has this ID. */
const ASKER = new Uint8Array(20).fill(0xff)

/** The number of the handler for signatures (ACP-118), with which a request begins. */
const SIGNATURE_HANDLER = 2

/** An answer to a request: a response, or an error with its code and text. */
type Answer = { readonly response: Uint8Array } | { readonly errorCode: number; readonly errorMessage: string }

/**
 * Delivers the messages of a VM. This node is alone, and gets its own messages. A validator whose key the node holds signs what the VM of this
 * node would sign; other nodes do not answer.
 */
export function appSenderService(messages: AppMessages): ServedService {
  return serve(AppSender, {
    sendAppRequest: ({ nodeIds, requestId, request }) => {
      for (const nodeID of nodeIds) messages.request(nodeID, requestId, request)
      return {}
    },
    sendAppResponse: ({ nodeId, requestId, response }) => {
      messages.answer(nodeId, requestId, { response })
      return {}
    },
    sendAppError: ({ nodeId, requestId, errorCode, errorMessage }) => {
      messages.answer(nodeId, requestId, { errorCode, errorMessage })
      return {}
    },
    sendAppGossip: () => ({}),
  })
}

/** A request that waits for the answer of the VM. */
interface Waiting {
  cancel(): void
  answered(answer: Answer): void
}

/** The requests to the VM of this node that wait for their answers. Each gets exactly one: AvalancheGo's VMs treat a second one as fatal. */
export class AppMessages {
  readonly #ports: AppSenderPorts
  readonly #waiting = new Map<string, Waiting>()
  /** Numbers of requests that the host makes are odd: even ones belong to an older protocol of the EVM. */
  #lastRequest = 1

  constructor(ports: AppSenderPorts) {
    this.#ports = ports
  }

  request(nodeID: Uint8Array, requestId: number, request: Uint8Array): void {
    const { vm } = this.#ports
    const answered = (answer: Answer) => {
      const to = { nodeId: nodeID, requestId }
      this.#later(() =>
        "response" in answer
          ? vm.call(VM.method.appResponse, { ...to, ...answer })
          : vm.call(VM.method.appRequestFailed, { ...to, ...answer }),
      )
    }
    if (toHex(nodeID) === toHex(this.#ports.nodeID)) this.#ask(nodeID, requestId, request, answered)
    else this.#requestSignature(nodeID, request, answered)
  }

  /** Delivers the answer to a request that waits for one. */
  answer(nodeID: Uint8Array, requestId: number, answer: Answer): void {
    const key = keyOf(nodeID, requestId)
    const waiting = this.#waiting.get(key)
    if (!waiting) return
    waiting.cancel()
    this.#waiting.delete(key)
    waiting.answered(answer)
  }

  /** Asks the VM whether it signs a message (ACP-118). Throws `vm.will_not_sign` with its reason. */
  async requireSigned(message: Uint8Array, justification: Uint8Array): Promise<void> {
    const request = toBinary(SignatureRequestSchema, create(SignatureRequestSchema, { message, justification }))
    const answer = await new Promise<Answer>((answered) => {
      this.#ask(ASKER, this.#nextRequest(), Buffer.concat([Buffer.from([SIGNATURE_HANDLER]), request]), answered)
    })
    if (!("response" in answer)) throw vmError("vm.will_not_sign", { errorCode: answer.errorCode, reason: answer.errorMessage })
  }

  #nextRequest(): number {
    this.#lastRequest = (this.#lastRequest + 2) % 2 ** 32
    return this.#lastRequest
  }

  /** Signs for another validator what the VM of this node signs itself. */
  #requestSignature(nodeID: Uint8Array, request: Uint8Array, answered: Waiting["answered"]): void {
    const sign = this.#ports.signerOf(nodeID)
    const message = sign && messageIn(request)
    if (!message || !this.#isOwn(message)) {
      answered(TIMED_OUT)
      return
    }
    this.#ask(ASKER, this.#nextRequest(), request, (answer) => {
      if (!("response" in answer)) return answered(answer)
      answered({ response: toBinary(SignatureResponseSchema, create(SignatureResponseSchema, { signature: sign(message) })) })
    })
  }

  /** Returns whether a Warp message is of the VM's own chain. A validator signs no other one on the word of a VM. */
  #isOwn(message: Uint8Array): boolean {
    const { networkID, chainID } = this.#ports
    const decoded = valueOrUndefined(() => decode(unsignedMessage, message))
    return decoded?.networkID === networkID && decoded.sourceChainID === chainID
  }

  /** Asks the VM of this node. */
  #ask(nodeID: Uint8Array, requestId: number, request: Uint8Array, answered: Waiting["answered"]): void {
    const { vm, now, after } = this.#ports
    if (this.#waiting.size >= MAX_WAITING) throw new GrpcError(grpcStatus.resourceExhausted, "too many requests wait for answers")
    const cancel = after(TIMEOUT, () => this.answer(nodeID, requestId, TIMED_OUT))
    this.#waiting.set(keyOf(nodeID, requestId), { cancel, answered })
    const deadline = timestampFromMs(now() + TIMEOUT)
    this.#later(() => vm.call(VM.method.appRequest, { nodeId: nodeID, requestId, deadline, request }))
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

const keyOf = (nodeID: Uint8Array, requestId: number): string => `${toHex(nodeID)} ${requestId}`

/** Returns the message of a request for a signature; `undefined` if it is another request. */
function messageIn(request: Uint8Array): Uint8Array | undefined {
  if (request[0] !== SIGNATURE_HANDLER) return undefined
  try {
    return fromBinary(SignatureRequestSchema, request.subarray(1)).message
  } catch {
    return undefined
  }
}
