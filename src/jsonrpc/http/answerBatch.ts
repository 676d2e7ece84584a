import type { Socket } from "node:net"

/** The maximum size of collected answers, bytes. Larger answers gain nothing from one write. */
const MAX_COLLECTED = 1 << 15

type Encoding = BufferEncoding | null | undefined
type WriteCallback = ((error?: Error | null) => void) | null | undefined

/**
 * Sends the answers to requests that a client sent without waiting (pipelined requests) in one write. Node sends the next answer of a
 * connection when the previous one has been written, so a collected answer counts as written.
 */
export class AnswerBatch {
  readonly #socket: Socket
  readonly #write: (data: string | Uint8Array, encoding?: BufferEncoding, written?: (error?: Error | null) => void) => boolean
  #collected: (readonly [data: string | Uint8Array, encoding: Encoding])[] = []
  #size = 0
  #isOpen = false
  /** Callbacks that run when everything that was collected so far has been written. */
  #onWritten: (() => void)[] = []
  readonly #writeTimeout: number

  /** `writeTimeout` is the time in milliseconds after which a client that does not read its answers is disconnected. */
  constructor(socket: Socket, writeTimeout: number) {
    this.#socket = socket
    this.#writeTimeout = writeTimeout
    this.#write = socket.write.bind(socket)
    const end = socket.end.bind(socket) as (...given: unknown[]) => Socket
    socket.write = ((data: string | Uint8Array, encoding?: Encoding, written?: WriteCallback) =>
      this.#isOpen && data.length + this.#size <= MAX_COLLECTED
        ? this.#collect(data, encoding, written)
        : this.#writeNow(data, encoding, written)) as Socket["write"]
    socket.end = ((...given: unknown[]) => {
      this.#flush()
      return end(...given)
    }) as Socket["end"]
  }

  /** Collects answers until this turn of the event loop ends. */
  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    setImmediate(() => this.#flush())
  }

  /** True while there are collected answers that were not passed to the system. */
  get hasCollected(): boolean {
    return this.#collected.length > 0
  }

  /** Calls back when the system has taken everything that was collected so far, or the connection has ended. */
  onWritten(callback: () => void): void {
    this.#onWritten.push(callback)
  }

  #collect(data: string | Uint8Array, encoding: Encoding, written: WriteCallback): boolean {
    if (data.length > 0) this.#collected.push([data, encoding])
    this.#size += data.length
    if (written) process.nextTick(written)
    return true
  }

  /** Writes the collected data first, to keep the order. */
  #writeNow(data: string | Uint8Array, encoding: Encoding, written: WriteCallback): boolean {
    this.#flush()
    return this.#write(data, encoding ?? undefined, written ?? undefined)
  }

  #flush(): void {
    this.#isOpen = false
    const collected = this.#collected
    const last = collected.pop()
    if (!last) return
    this.#collected = []
    this.#size = 0
    this.#socket.cork()
    for (const [data, encoding] of collected) this.#write(data, encoding ?? undefined)
    this.#write(last[0], last[1] ?? undefined, this.#endOfWrite())
    this.#socket.uncork()
  }

  /** Returns a callback for the end of a write, which runs in time even if the client reads nothing. */
  #endOfWrite(): () => void {
    const callbacks = this.#onWritten
    this.#onWritten = []
    const stalled = setTimeout(() => this.#socket.destroy(), this.#writeTimeout)
    stalled.unref()
    return () => {
      clearTimeout(stalled)
      for (const callback of callbacks) callback()
    }
  }
}
