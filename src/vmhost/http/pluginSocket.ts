import { Duplex } from "node:stream"
import { closeFrame } from "../../core/lib/closeFrame.js"
import { type ServedService, serve } from "../grpc/grpcServer.js"
import { Conn, ErrorCode } from "../proto/conn_pb.js"
import { Reader, ErrorCode as ReaderErrorCode } from "../proto/reader_pb.js"
import { Writer } from "../proto/writer_pb.js"

/** The most bytes that one read returns. */
const MAX_READ = 64 << 10

/** The code of a WebSocket's end that says that the service restarts. */
const SERVICE_RESTART = 1012

/** The time that a client has to read the last frame of a WebSocket, milliseconds. */
const LAST_MILLISECONDS = 2000

type Outcome = { readonly read: Uint8Array } | "end" | "deadline"

/**
 * The connection of a client that a plugin has taken over. The plugin reads what is written to this stream, by calls that wait for bytes, and
 * what the plugin writes can be read from it.
 */
export class PluginSocket extends Duplex {
  #chunk: Buffer | undefined
  #taken: (() => void) | undefined
  #isEnded = false
  #isFinished = false
  #deadline: number | undefined
  readonly #readers = new Set<() => void>()
  /** Called when the client has read what was sent. */
  #drained: (() => void)[] = []

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    this.#chunk = chunk
    this.#taken = callback
    this.#wake()
  }

  override _final(callback: () => void): void {
    this.#end()
    callback()
  }

  override _read(): void {
    this.#tellDrained()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#end()
    this.#tellDrained()
    callback(error)
  }

  /** Waits for bytes of the client, at most this many. */
  async takeInput(length: number): Promise<Outcome> {
    for (;;) {
      if (this.#deadline !== undefined && Date.now() >= this.#deadline) return "deadline"
      if (this.#chunk) return { read: this.#takeBytes(Math.min(length, MAX_READ)) }
      if (this.#isEnded) return "end"
      await this.#wait()
    }
  }

  /** Sends bytes of the plugin to the client, and waits if the client is slow. Returns false if it has gone. */
  async give(bytes: Uint8Array): Promise<boolean> {
    if (this.destroyed || this.#isFinished) return false
    if (!this.push(Uint8Array.from(bytes))) {
      await new Promise<void>((resolve) => this.#drained.push(resolve))
    }
    return !this.destroyed
  }

  /** Sends the last frame of a WebSocket, and ends the connection. */
  endWebSocket(reason: string): void {
    if (!this.destroyed && !this.#isFinished) this.push(closeFrame(SERVICE_RESTART, reason))
    this.finish()
  }

  /** Ends the connection when the client has read what was sent, or has had the time for it. */
  finish(): void {
    if (this.destroyed || this.#isFinished) return
    this.#isFinished = true
    this.#end()
    this.push(null)
    setTimeout(() => this.destroy(), LAST_MILLISECONDS).unref()
  }

  /** Sets the time at which reads end, Unix milliseconds. It also ends reads that wait already. */
  setDeadline(milliseconds: number | undefined): void {
    this.#deadline = milliseconds
    this.#wake()
  }

  #tellDrained(): void {
    for (const tell of this.#drained.splice(0)) tell()
  }

  #takeBytes(length: number): Uint8Array {
    const chunk = this.#chunk as Buffer
    const read = chunk.subarray(0, length)
    if (read.length < chunk.length) this.#chunk = chunk.subarray(read.length)
    else {
      this.#chunk = undefined
      this.#taken?.()
    }
    return read
  }

  /** Resolves when there are bytes, the end, another deadline, or when the deadline passes. */
  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const rest = this.#deadline === undefined ? undefined : Math.min(this.#deadline - Date.now(), 2 ** 31 - 1)
      const timer = rest === undefined ? undefined : setTimeout(() => done(), rest)
      const done = () => {
        clearTimeout(timer)
        this.#readers.delete(done)
        resolve()
      }
      this.#readers.add(done)
    })
  }

  #end(): void {
    this.#isEnded = true
    this.#wake()
  }

  #wake(): void {
    for (const wake of [...this.#readers]) wake()
  }
}

/** Serves a connection to the plugin that has taken it over. `ahead` returns the milliseconds by which the plugin's clock is ahead of the machine's. */
export function connectionServices(socket: PluginSocket, ahead: () => number): ServedService[] {
  const write = async (payload: Uint8Array) => ((await socket.give(payload)) ? {} : { error: "the client has gone" })
  const setReadDeadline = ({ time }: { readonly time: Uint8Array }) => {
    const deadline = goTimeMilliseconds(time)
    socket.setDeadline(deadline === undefined ? undefined : deadline - ahead())
    return {}
  }
  return [
    serve(Conn, {
      read: async ({ length }) => {
        const taken = await socket.takeInput(length)
        if (taken === "end") return { error: { errorCode: ErrorCode.EOF, message: "EOF" } }
        if (taken === "deadline") {
          return { error: { errorCode: ErrorCode.OS_ERR_DEADLINE_EXCEEDED, message: "i/o timeout" } }
        }
        return taken
      },
      write: async ({ payload }) => ({ length: payload.length, ...(await write(payload)) }),
      close: () => {
        socket.finish()
        return {}
      },
      setDeadline: setReadDeadline,
      setReadDeadline,
      // A client that does not read is disconnected by the node's own limit.
      setWriteDeadline: () => ({}),
    }),
    serve(Reader, {
      read: async ({ length }) => {
        const taken = await socket.takeInput(length)
        return typeof taken === "string" ? { error: { errorCode: ReaderErrorCode.EOF, message: "EOF" } } : taken
      },
    }),
    serve(Writer, { write: async ({ payload }) => ({ written: payload.length, ...(await write(payload)) }) }),
  ]
}

/** Seconds from the year 1 to 1970. */
const YEAR_1_SECONDS = 62_135_596_800n

/** Returns a time in Go's binary form as Unix milliseconds; `undefined` for Go's zero time, which means no deadline, and for other bytes. */
export function goTimeMilliseconds(bytes: Uint8Array): number | undefined {
  if (bytes.length < 15) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const [seconds, nanoseconds] = [view.getBigInt64(1), view.getInt32(9)]
  if (seconds === 0n && nanoseconds === 0) return undefined
  return Number(seconds - YEAR_1_SECONDS) * 1000 + nanoseconds / 1_000_000
}
