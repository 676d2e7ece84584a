import { printJson } from "../../core/lib/json.js"
import { type ErrorObject, errorObject } from "../errorObject.js"
import { rpcError } from "../errors.js"
import type { Admission } from "../limits/meter.js"
import { PrintedJson } from "../printedJson.js"
import type { Dialect } from "../schema/param.js"

/** An answer that is ready to be sent. An answer without a body has no content type. */
export interface Reply {
  readonly status: number
  /** The chunks in order. A large answer is not copied into one chunk. */
  readonly body: readonly Uint8Array[]
  /** True if a method was called, whatever its outcome. */
  readonly isExecuted: boolean
  /** Seconds after which the client may try again. */
  readonly retryAfter?: number
  /** The height of the state that the answer was read from. A batch has the lowest height of its answers. */
  readonly height?: bigint | undefined
}

/** The outcome of one request: the JSON of the result or of the error. */
export interface Outcome {
  readonly member: "result" | "error"
  readonly json: PrintedJson
  readonly isExecuted: boolean
  /** True if a request is answered even without an ID. */
  readonly answersAnyway?: boolean | undefined
  /** Seconds after which the client may try again, if there was no room for the request. */
  readonly retryAfter?: number | undefined
  /** The height of the state that the method read. */
  readonly height?: bigint | undefined
  /** True if the answer is not available at present. */
  readonly isUnavailable?: boolean | undefined
}

export function failed(error: ErrorObject, more: Partial<Outcome> = {}): Outcome {
  return { member: "error", json: PrintedJson.of(printJson({ ...error })), isExecuted: false, ...more }
}

/** The outcome for a client that has used up its units. */
export function tooMany(retryAfter: number, dialect: Dialect): Outcome {
  const error = errorObject(rpcError("rpc.too_many_requests", { retryAfter }), dialect)
  return failed(error, { answersAnyway: true, retryAfter })
}

/** The answer to a client in debt, whose request is not read. */
export function inDebt(retryAfter: number, dialect: Dialect): Reply {
  return replyOf(undefined, tooMany(retryAfter, dialect))
}

/** The answer to a body that is too large to be read. */
export function tooLarge(limit: number, dialect: Dialect): Reply {
  return replyOf(undefined, failed(errorObject(rpcError("rpc.too_large", { limit }), dialect), { answersAnyway: true }), 413)
}

/** The answer to a body that arrives in too many chunks. */
export function tooManyChunks(limit: number, dialect: Dialect): Reply {
  return replyOf(
    undefined,
    failed(errorObject(rpcError("rpc.too_many_pieces", { limit }), dialect), { answersAnyway: true }),
    413,
  )
}

/** The answer if the server has no room for the request. */
export function serverFull(dialect: Dialect): Reply {
  const error = errorObject(rpcError("rpc.busy"), dialect)
  return { ...replyOf(undefined, failed(error, { answersAnyway: true, retryAfter: 1 })), status: 503 }
}

/** Makes the answer to one request. Notifications get an empty answer. */
export function replyOf(id: string | undefined, outcome: Outcome, status = 200): Reply {
  const { isExecuted, answersAnyway, retryAfter, height } = outcome
  const body = id === undefined && !answersAnyway ? [] : printed(id, outcome, "\n")
  return retryAfter === undefined ? { status, body, isExecuted, height } : { status: 429, body, isExecuted, retryAfter }
}

const COMMA = Buffer.from(",")
const OPEN = Buffer.from("[")
const CLOSE = Buffer.from("]\n")

/** The answer to a batch: the answers of its requests in their order, up to a limit of bytes. */
export class BatchReply {
  readonly #limit: number
  readonly #dialect: Dialect
  readonly #admission: Admission | undefined
  readonly #body: Uint8Array[] = []
  #size = 0
  #isExecuted = false
  #isFull = false
  #height: bigint | undefined

  /** `limit` is the maximum size of all answers together, bytes. */
  constructor(limit: number, dialect: Dialect, admission?: Admission) {
    this.#limit = limit
    this.#dialect = dialect
    this.#admission = admission
  }

  /** Prints an outcome at once, so that the values it was made from can be freed before the last call has been answered. */
  add(id: string | undefined, outcome: Outcome): void {
    this.#isExecuted ||= outcome.isExecuted
    this.#height = lower(this.#height, outcome.height)
    if (id === undefined && !outcome.answersAnyway) return
    const chunks = printed(id, outcome, "")
    const size = sizeOf(chunks)
    const isSmall = outcome.member === "error" && size <= SMALL_ERROR
    const fits = this.#size + size <= this.#limit && (this.#admission?.reserve(size) ?? true)
    if (fits || isSmall) this.#push(chunks, size)
    else this.addTooLarge(id)
  }

  /** True once an answer found no room. The remaining calls need not be made. */
  get isFull(): boolean {
    return this.#isFull
  }

  addTooLarge(id: string | undefined): void {
    this.#isFull = true
    const error = errorObject(rpcError("rpc.answer_too_large", { limit: this.#limit }), this.#dialect)
    if (id !== undefined) this.#push(printed(id, failed(error), ""))
  }

  finish(): Reply {
    if (this.#body.length > 0) this.#body.push(CLOSE)
    return { status: 200, body: this.#body, isExecuted: this.#isExecuted, height: this.#height }
  }

  #push(chunks: readonly Uint8Array[], size = sizeOf(chunks)): void {
    this.#body.push(this.#body.length === 0 ? OPEN : COMMA, ...chunks)
    this.#size += size
  }
}

const lower = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a

/** The maximum size of errors that are answered even if there is no room, bytes. The error about missing room is no smaller. */
const SMALL_ERROR = 1024

const sizeOf = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, { length }) => sum + length, 0)

const BEGINNINGS = { result: Buffer.from('{"jsonrpc":"2.0","result":'), error: Buffer.from('{"jsonrpc":"2.0","error":') }

function printed(id: string | undefined, { member, json }: Outcome, end: string): Uint8Array[] {
  return [BEGINNINGS[member], ...json.chunks, Buffer.from(`,"id":${id ?? "null"}}${end}`)]
}
