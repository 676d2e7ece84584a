import { printJson } from "../../core/lib/json.js"
import { type ErrorObject, errorObject } from "../errorObject.js"
import { rpcError } from "../errors.js"
import type { Admission } from "../limits/meter.js"
import type { JsonPieces } from "../printedJson.js"
import type { Dialect } from "../schema/param.js"

/** An answer that is ready to be sent. An answer without a body has no content type. */
export interface Reply {
  readonly status: number
  /** The pieces in order. A large answer is not copied into one piece. */
  readonly body: readonly Uint8Array[]
  /** The same body as text, if it was printed as one text. A server sends it without converting it to bytes first. */
  readonly text?: string
  /** True if a method was called, whatever its outcome. */
  readonly isExecuted: boolean
  /** Seconds after which the client may try again. */
  readonly retryAfter?: number
  /** The height of the state that the answer was read from. A batch has the lowest height of its answers. */
  readonly height?: bigint | undefined
}

/** The outcome of one request: JSON text of the result or of the error. */
export interface Outcome {
  readonly member: "result" | "error"
  readonly json: JsonPieces
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
  return { member: "error", json: printJson({ ...error }), isExecuted: false, ...more }
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

/** The answer to a body that arrives in too many pieces. */
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
  if (typeof outcome.json === "string" && id !== undefined && retryAfter === undefined) {
    return new TextReply(status, printedText(id, outcome.member, outcome.json, "\n"), isExecuted, height)
  }
  const body = id === undefined && !answersAnyway ? [] : printed(id, outcome, "\n")
  return retryAfter === undefined ? { status, body, isExecuted, height } : { status: 429, body, isExecuted, retryAfter }
}

/** An answer that was printed as one text. */
class TextReply implements Reply {
  readonly status: number
  readonly text: string
  readonly isExecuted: boolean
  readonly height: bigint | undefined

  constructor(status: number, text: string, isExecuted: boolean, height: bigint | undefined) {
    this.status = status
    this.text = text
    this.isExecuted = isExecuted
    this.height = height
  }

  get body(): readonly Uint8Array[] {
    return [Buffer.from(this.text)]
  }
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
    const pieces = printed(id, outcome, "")
    const size = sizeOf(pieces)
    const isSmall = outcome.member === "error" && size <= SMALL_ERROR
    const hasRoom = this.#size + size <= this.#limit && (this.#admission?.hold(size) ?? true)
    if (hasRoom || isSmall) this.#push(pieces, size)
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

  #push(pieces: readonly Uint8Array[], size = sizeOf(pieces)): void {
    this.#body.push(this.#body.length === 0 ? OPEN : COMMA, ...pieces)
    this.#size += size
  }
}

const lower = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a

/** The maximum size of errors that are answered even if there is no room, bytes. The error about missing room is no smaller. */
const SMALL_ERROR = 1024

/** Returns the size of all pieces in bytes. */
export const sizeOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

function printedText(id: string | undefined, member: Outcome["member"], json: string, end: string): string {
  return `{"jsonrpc":"2.0","${member}":${json},"id":${id ?? "null"}}${end}`
}

/** The maximum size of a last piece that is joined with the following text, bytes. */
const SHORT_END = 64

function printed(id: string | undefined, { member, json }: Outcome, end: string): Uint8Array[] {
  if (typeof json === "string") return [Buffer.from(printedText(id, member, json, end))]
  const head = `{"jsonrpc":"2.0","${member}":`
  const tail = `,"id":${id ?? "null"}}${end}`
  const last = json.at(-1)
  // Each piece is a write of its own, so a short last piece is joined with the text that follows it.
  if (last === undefined || last.length > SHORT_END) return [Buffer.from(head), ...json, Buffer.from(tail)]
  return [Buffer.from(head), ...json.slice(0, -1), Buffer.concat([last, Buffer.from(tail)])]
}
