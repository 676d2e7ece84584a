import { setTimeout } from "node:timers/promises"
import { bodyText } from "../../core/lib/bodyChunks.js"
import type { Invalid } from "../../core/lib/invalid.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { syncError } from "../errors.js"
import { timeLimit } from "./timeLimit.js"

export interface HttpNodeOptions {
  /** Headers of every request, such as the key of an API. */
  readonly headers?: Readonly<Record<string, string>>
  /** The maximum number of requests per second; unlimited by default. */
  readonly requestsPerSecond?: number | undefined
  /** Timeout of a request without an answer, or of a stream without a byte, milliseconds; 20 s and 40 s by default. */
  readonly patience?: number | undefined
}

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly message?: unknown } | null
}

const TIMEOUT_MS = 20_000
/** Milliseconds for which a request is repeated while the node is too busy. */
const GIVE_UP_MS = 60_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** The maximum size of an answer, bytes: 1,024 blocks of the usual sizes, or a few of the largest, as hex. */
const MAX_ANSWER = 64 << 20

/** Returns how long other nodes may take once one has answered, milliseconds. */
export const graceOf = ({ patience = TIMEOUT_MS }: HttpNodeOptions): number => patience / 4

/** Calls the JSON-RPC API of a node. If the node is too busy (429, 5xx), requests wait as long as it says. */
export class HttpNode {
  readonly url: string
  readonly #options: HttpNodeOptions
  /** The time before which no request is sent, in milliseconds of `performance.now`. */
  #nextAt = 0

  constructor(url: string, options: HttpNodeOptions = {}) {
    this.url = url
    this.#options = options
  }

  /** Milliseconds of silence after which a stream is aborted; `undefined` for the usual time. */
  get patience(): number | undefined {
    return this.#options.patience
  }

  /** Calls a method and returns its result. Throws `sync.call_refused` with the error of the node. */
  async call(path: string, method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const request = { method: "POST", headers: { "content-type": "application/json" }, body }
    const text = await this.#patiently(path, request, signal, (response, limited) => this.#textOf(response, limited))
    const answer = this.#parsed(text, path)
    if (!answer.error) return answer.result
    throw syncError("sync.call_refused", { url: this.url, method, reason: String(answer.error.message ?? "").slice(0, 300) })
  }

  /** Opens a GET request whose body is read by the caller. It is sent once. */
  async open(path: string, signal: AbortSignal): Promise<Response> {
    await this.#turn(signal)
    const response = await this.#send(path, { method: "GET" }, signal)
    if (response.status !== 200) throw this.#badStatus(response)
    return response
  }

  /** Returns whether the node answers HEAD at a path with 200. */
  async has(path: string, signal: AbortSignal): Promise<boolean> {
    return this.#patiently(path, { method: "HEAD" }, signal, async ({ status }) => status === 200)
  }

  /** Sends a request, repeats it while the node is too busy, and reads the answer. */
  async #patiently<T>(
    path: string,
    request: RequestInit,
    signal: AbortSignal,
    read: (response: Response, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const started = performance.now()
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await this.#turn(signal)
      const limit = timeLimit(signal, this.#options.patience ?? TIMEOUT_MS)
      try {
        const response = await this.#send(path, request, limit.signal)
        if (response.status !== 429 && response.status < 500) return await read(response, limit.signal)
        await response.body?.cancel()
        if (performance.now() - started > GIVE_UP_MS) throw this.#badStatus(response)
        const seconds = Number(response.headers.get("retry-after"))
        const wait = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, LONGEST_PAUSE_MS) : pause
        this.#nextAt = Math.max(this.#nextAt, performance.now() + wait)
      } finally {
        limit.end()
      }
    }
  }

  async #send(path: string, request: RequestInit, signal: AbortSignal): Promise<Response> {
    const headers = { ...this.#options.headers, ...(request.headers as Record<string, string>) }
    try {
      return await fetch(this.url + path, { ...request, headers, signal, redirect: "error" })
    } catch (error) {
      throw this.#noAnswer(error)
    }
  }

  /** Waits until a request may be sent. */
  async #turn(signal: AbortSignal): Promise<void> {
    const { requestsPerSecond } = this.#options
    for (;;) {
      const wait = this.#nextAt - performance.now()
      if (wait <= 0) break
      await setTimeout(wait, undefined, { signal })
    }
    if (requestsPerSecond !== undefined) this.#nextAt = performance.now() + 1000 / requestsPerSecond
  }

  async #textOf(response: Response, signal: AbortSignal): Promise<string> {
    const text = await bodyText(response.body, MAX_ANSWER, signal).catch((error) => {
      throw this.#noAnswer(error)
    })
    if (text === undefined) throw this.badAnswer("the answer is too large")
    return text
  }

  #parsed(text: string, path: string): Answer {
    try {
      const value: unknown = parseJson(text)
      if (typeof value === "object" && value !== null && ("result" in value || "error" in value)) return value as Answer
    } catch {
      // The text is shown instead.
    }
    throw syncError("sync.bad_answer", { url: this.url + path, reason: `no JSON-RPC answer: ${text.slice(0, 100)}` })
  }

  /** Returns the refusal of an answer that is not what the API promises. */
  badAnswer(reason: string): Invalid {
    return syncError("sync.bad_answer", { url: this.url, reason })
  }

  #badStatus(response: Response): Invalid {
    return syncError("sync.bad_status", { url: this.url, status: response.status })
  }

  #noAnswer(error: unknown): Invalid {
    const { message, cause } = error as Error
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : message
    return syncError("sync.no_answer", { url: this.url, reason })
  }
}
