import type { IncomingMessage } from "node:http"

/** Bytes that every body may have, however full the server is: slow senders of large bodies keep nobody from small ones. */
const ALWAYS = 1 << 16

/** What all bodies being read take together, beyond what each may have anyway. */
export class BodyBudget {
  readonly #limit: number
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false
    this.#used += bytes
    return true
  }

  give(bytes: number): void {
    this.#used -= bytes
  }
}

const counted = (size: number): number => Math.max(0, size - ALWAYS)

/** Why a body was not read to its end. */
export type BodyFault = "too large" | "no room"

/**
 * Reads a body and hands it on once; a client that goes away is not heard of again. Events rather than an iterator: that costs a third
 * of the throughput.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  budget: BodyBudget,
  done: (body: Buffer | BodyFault) => void,
): void {
  const declared = Number(request.headers["content-length"] ?? 0)
  if (declared > limit) {
    done("too large")
    return
  }
  const chunks: Buffer[] = []
  let size = 0
  let isOver = false
  const finish = (result: Buffer | BodyFault | undefined): void => {
    if (isOver) return
    isOver = true
    budget.give(counted(size))
    if (result !== undefined) done(result)
  }
  request.on("data", (chunk: Buffer) => {
    if (isOver) return
    if (size + chunk.length > limit) finish("too large")
    else if (!budget.take(counted(size + chunk.length) - counted(size))) finish("no room")
    else {
      size += chunk.length
      chunks.push(chunk)
    }
  })
  request.on("end", () => finish(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)))
  request.on("error", () => finish(undefined))
}
