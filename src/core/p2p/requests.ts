import type { NodeID } from "../types/id.js"
import { AdaptiveTimeout, type TimeoutSettings } from "./adaptiveTimeout.js"
import type { MessageKind } from "./message.js"

/** A request that waits for its answer. `data` is returned with the answer. */
export interface OpenRequest<Data> {
  readonly nodeID: NodeID
  readonly requestID: number
  readonly data: Data
}

interface WaitingRequest<Data> extends OpenRequest<Data> {
  readonly answers: readonly MessageKind[]
  readonly sentAt: number
  readonly expiresAt: number
}

/** The open requests of this node. An answer counts only from the same node, with the same number and the expected kind. */
export class Requests<Data> {
  readonly #waiting = new Map<string, WaitingRequest<Data>>()
  readonly #timeout: AdaptiveTimeout
  #lastID = 0

  constructor(timeouts?: TimeoutSettings) {
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

  /** Timeout of an answer, milliseconds. */
  get timeoutMs(): number {
    return this.#timeout.milliseconds
  }

  /** The value of a request's `deadline` field: nanoseconds. */
  get deadline(): bigint {
    return BigInt(Math.floor(this.timeoutMs)) * 1_000_000n
  }

  open(request: OpenRequest<Data>, answers: readonly MessageKind[], now: number): void {
    const expiresAt = now + this.timeoutMs
    this.#waiting.set(keyOf(request.nodeID, request.requestID), { ...request, answers, sentAt: now, expiresAt })
  }

  /** Ends the request of this answer and returns its data; `undefined` for an unexpected answer. */
  answer(nodeID: NodeID, requestID: number, kind: MessageKind, now: number): Data | undefined {
    const key = keyOf(nodeID, requestID)
    const waiting = this.#waiting.get(key)
    if (!waiting?.answers.includes(kind)) return undefined
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
  #observe({ answers }: WaitingRequest<Data>, latencyMs: number, now: number): void {
    if (!answers.includes("put")) this.#timeout.observe(latencyMs, now)
  }
}

const keyOf = (nodeID: NodeID, requestID: number) => `${nodeID}/${requestID}`
