import type { NodeID } from "../types/id.js"
import type { MessageKind } from "./message.js"

const INITIAL_TIMEOUT_MS = 5_000
const MIN_TIMEOUT_MS = 2_000
const MAX_TIMEOUT_MS = 10_000
const TIMEOUT_FACTOR = 2
const HALF_LIFE_MS = 5 * 60_000

/** How long answers take: an exponential average, of which the timeout is twice, between 2 and 10 seconds. */
export class AdaptiveTimeout {
  #average = INITIAL_TIMEOUT_MS / TIMEOUT_FACTOR
  #observedAt: number | undefined

  get milliseconds(): number {
    return Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, this.#average * TIMEOUT_FACTOR))
  }

  /** Takes the time of one answer; one that never came counts as the timeout. */
  observe(latencyMs: number, now: number): void {
    const elapsed = this.#observedAt === undefined ? HALF_LIFE_MS : Math.max(0, now - this.#observedAt)
    this.#observedAt = now
    const weight = 0.5 ** (elapsed / HALF_LIFE_MS)
    this.#average = this.#average * weight + latencyMs * (1 - weight)
  }
}

/** A request that waits for its answer. `data` is what the asker wants to remember. */
export interface OpenRequest<Data> {
  readonly nodeID: NodeID
  readonly requestID: number
  readonly data: Data
}

interface Waiting<Data> extends OpenRequest<Data> {
  readonly answers: readonly MessageKind[]
  readonly sentAt: number
  readonly expiresAt: number
}

/** The requests of this node that wait for an answer. An answer counts only from the node, with the number and of the kind asked for. */
export class Requests<Data> {
  readonly #waiting = new Map<string, Waiting<Data>>()
  readonly #timeout = new AdaptiveTimeout()
  #lastID = 0

  /** A number that no request has had for 2^32 requests. */
  nextID(): number {
    this.#lastID = (this.#lastID + 1) >>> 0
    return this.#lastID
  }

  get count(): number {
    return this.#waiting.size
  }

  /** How long an answer is waited for, milliseconds. */
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

  /** Ends the request that this answer belongs to and returns what was remembered; `undefined` for an answer nobody waits for. */
  answer(nodeID: NodeID, requestID: number, kind: MessageKind, now: number): Data | undefined {
    const key = keyOf(nodeID, requestID)
    const waiting = this.#waiting.get(key)
    if (!waiting?.answers.includes(kind)) return undefined
    this.#waiting.delete(key)
    this.#timeout.observe(now - waiting.sentAt, now)
    return waiting.data
  }

  /** Ends the requests that were waited for too long, and returns them. */
  expired(now: number): OpenRequest<Data>[] {
    const late = [...this.#waiting.values()].filter(({ expiresAt }) => expiresAt <= now)
    for (const request of late) {
      this.#waiting.delete(keyOf(request.nodeID, request.requestID))
      this.#timeout.observe(request.expiresAt - request.sentAt, now)
    }
    return late
  }

  /** Ends the requests to a node that went away, and returns them. */
  abandon(nodeID: NodeID): OpenRequest<Data>[] {
    const gone = [...this.#waiting.values()].filter((request) => request.nodeID === nodeID)
    for (const { requestID } of gone) this.#waiting.delete(keyOf(nodeID, requestID))
    return gone
  }
}

const keyOf = (nodeID: NodeID, requestID: number) => `${nodeID}/${requestID}`
