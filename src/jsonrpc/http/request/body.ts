import type { ClientBudget } from "../../limits/clientBudget.js"
import { ENDED_MILLISECONDS } from "../connection/clients.js"
import type { OpenExchange } from "./exchange.js"

/** The size that every body may have even if the server is full, bytes. Slow senders of large bodies therefore do not block small ones. */
const ALWAYS = 1 << 16

/** A body of more chunks than this is refused while its chunks are smaller than `MIN_CHUNK` bytes on average. */
export const MAX_SMALL_CHUNKS = 1024
const MIN_CHUNK = 64

/** The reason why a body was not read to its end. */
export type BodyFault = "too large" | "too many chunks" | "server full"

/** Limits of a body. */
export interface BodyLimits {
  /** The maximum size of this body, bytes. */
  readonly limit: number
  /** The bytes of all bodies that are being read or answered, beyond the bytes that each body may always have. */
  readonly budget: ClientBudget
}

/** A body that was read. Its memory is released after it has been answered. */
export interface Body {
  readonly bytes: Buffer
  release(): void
}

const counted = (size: number): number => Math.max(0, size - ALWAYS)

/** Reads the body of a request and passes it on once. It passes on nothing if the client disconnects. */
export function readBody(
  { request, response, connection, meter }: Pick<OpenExchange, "request" | "response" | "connection" | "meter">,
  { limit, budget }: BodyLimits,
  done: (body: Body | BodyFault) => void,
): void {
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    done("too large")
    return
  }
  const chunks: Buffer[] = []
  let size = 0
  let isOver = false
  const release = () => budget.give(meter.client, counted(size))
  const end = () => {
    isOver = true
    connection?.onEnd.delete(finish)
  }
  const finish = (fault?: BodyFault): void => {
    if (isOver) return
    end()
    release()
    meter.chargeBytes(size)
    if (fault === "too many chunks") {
      // Node parses the other chunks of the same read, up to 10,900. It reads no more of them after the response.
      meter.charge(ENDED_MILLISECONDS)
      if (response.writableFinished) request.socket.destroy()
      else response.once("finish", () => request.socket.destroy())
    }
    if (fault !== undefined) done(fault)
  }
  request.on("data", (chunk: Buffer) => {
    // Most bodies come in one chunk.
    if (isOver || chunks.length > 0) connection?.countChunks(1)
    if (isOver) return
    const grown = size + chunk.length
    if (grown > limit) finish("too large")
    else if (chunks.length >= MAX_SMALL_CHUNKS && grown < MIN_CHUNK * chunks.length) finish("too many chunks")
    else if (!budget.take(meter.client, counted(grown) - counted(size))) finish("server full")
    else {
      chunks.push(chunk)
      size = grown
    }
  })
  request.on("end", () => {
    if (isOver) return
    end()
    meter.chargeBytes(size)
    done({ bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks), release })
  })
  // Node reports the end of a connection as an error of the request, unless the request has been answered.
  request.on("error", () => finish())
  connection?.onEnd.add(finish)
}
