import type { NodeID } from "../types/id.js"
import { AdaptiveTimeout, type TimeoutSettings } from "./adaptiveTimeout.js"
import type { MessageKind, OutgoingMessage } from "./message.js"

/** Fields of every request. `deadline` is a time span in nanoseconds. */
export interface RequestHeader {
  readonly requestId: number
  readonly deadline: bigint
}

/** A request to one node. `data` is returned with the answer. */
export interface Question<Data> {
  readonly data: Data
  readonly answer: MessageKind
  message(header: RequestHeader): OutgoingMessage
}

export interface OpenRequest<Data> extends Pick<Question<Data>, "data" | "answer"> {
  readonly nodeID: NodeID
  readonly requestID: number
  readonly sentAt: number
  readonly expiresAt: number
}

type Send = (nodeID: NodeID, message: OutgoingMessage) => boolean

/** The open requests of this node. An answer counts only from the same node, with the same number and the expected kind. */
export class Requests<Data> {
  readonly #waiting = new Map<string, OpenRequest<Data>>()
  readonly #send: Send
  readonly #timeout: AdaptiveTimeout
  #lastID = 0

  constructor(send: Send, timeouts?: TimeoutSettings) {
    this.#send = send
    this.#timeout = new AdaptiveTimeout(timeouts)
  }

  /** A number that no request has had for 2^32 requests. */
  nextID(): number {
    this.#lastID = (this.#lastID + 1) >>> 0
    return this.#lastID
  }

  get count(): number {
    return this.#waiting.size
  }

  /** Time at which the oldest of them was sent; `undefined` if none waits. */
  get oldestSentAt(): number | undefined {
    return this.#waiting.values().next().value?.sentAt
  }

  get timeoutMs(): number {
    return this.#timeout.milliseconds
  }

  /** Sends a request to a node. Returns false if the node cannot be asked. */
  ask(nodeID: NodeID, { data, answer, message }: Question<Data>, now: number, requestID: number = this.nextID()): boolean {
    const deadline = BigInt(Math.floor(this.timeoutMs)) * 1_000_000n
    if (!this.#send(nodeID, message({ requestId: requestID, deadline }))) return false
    const expiresAt = now + this.timeoutMs
    this.#waiting.set(keyOf(nodeID, requestID), { nodeID, requestID, data, answer, sentAt: now, expiresAt })
    return true
  }

  /** Ends the request of this answer and returns its data; `undefined` for an unexpected answer. */
  answer(nodeID: NodeID, requestID: number, kind: MessageKind, now: number): Data | undefined {
    const key = keyOf(nodeID, requestID)
    const waiting = this.#waiting.get(key)
    if (waiting?.answer !== kind) return undefined
    this.#waiting.delete(key)
    this.#observe(waiting, now - waiting.sentAt, now)
    return waiting.data
  }

  /** Ends the requests that were waited for too long, and returns them. */
  expired(now: number): OpenRequest<Data>[] {
    const late = [...this.#waiting.values()].filter(({ expiresAt }) => expiresAt <= now)
    for (const request of late) {
      this.#waiting.delete(keyOf(request.nodeID, request.requestID))
      this.#observe(request, request.expiresAt - request.sentAt, now)
    }
    return late
  }

  /** Ends the requests to a node that disconnected, and returns them. */
  abandon(nodeID: NodeID): OpenRequest<Data>[] {
    const gone = [...this.#waiting.values()].filter((request) => request.nodeID === nodeID)
    for (const { requestID } of gone) this.#waiting.delete(keyOf(nodeID, requestID))
    return gone
  }

  /** A node may not have a requested block, so the time of such an answer says nothing about the network. */
  #observe({ answer }: OpenRequest<Data>, latencyMs: number, now: number): void {
    if (answer !== "put") this.#timeout.observe(latencyMs, now)
  }
}

const keyOf = (nodeID: NodeID, requestID: number) => `${nodeID}/${requestID}`
