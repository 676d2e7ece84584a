import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"
import { bundle } from "../../child.js"
import type { Case, RawCase } from "./cases.js"
import type { KnownObjects } from "./params.js"
import type { TxName } from "./txMaker.js"

/** The use of a server since its start, in milliseconds, bytes and units, and its longest turn of the event loop since the last question. */
export interface Usage {
  /** CPU time without the requests of the other client. */
  readonly cpu: number
  /** The part of it that the thread of the event loop took. */
  readonly thread: number
  readonly rss: number
  /** The units of the client that `send` uses. */
  readonly units: number
  readonly longest: number
}

/** The questions to a server's process. */
export type Question =
  | { readonly ask: "usage" }
  | { readonly ask: "txs"; readonly what: TxName; readonly size: number; readonly count: number }

/** Milliseconds that the server's main thread runs between two questions of the other client. */
const PROBE_EVERY = 10

/** A public node with a large chain in a separate process. */
export class ServerProcess implements Disposable {
  readonly #process: ChildProcess
  readonly #agent = new Agent({ keepAlive: true })
  /** Grows when the process begins or ends to make transactions for the test, for which the other client's wait does not count. */
  #asides = 0
  readonly known: KnownObjects & { readonly port: number }

  private constructor(process: ChildProcess, known: KnownObjects & { readonly port: number }) {
    this.#process = process
    this.known = known
  }

  /** `share`: the size of its chain as a part of the chain that the promised speed of the API refers to. */
  static async start(share: number, mode: "dev" | "disk" | "serve"): Promise<ServerProcess> {
    // Without the flags of the test worker, V8 optimizes this process as it does a node.
    const child = fork(bundle("test/rpc/limits/servedChain.ts"), [String(share), mode], { execArgv: [] })
    return new ServerProcess(child, (await answerOf(child)) as KnownObjects & { readonly port: number })
  }

  async usage(): Promise<Usage> {
    return (await this.#ask({ ask: "usage" })) as Usage
  }

  /** Makes this number of new transactions, in hex. */
  async txs(what: TxName, size: number, count: number): Promise<readonly string[]> {
    this.#asides++
    const made = (await this.#ask({ ask: "txs", what, size, count })) as readonly string[]
    this.#asides++
    return made
  }

  async #ask(question: Question): Promise<unknown> {
    this.#process.send(question)
    return answerOf(this.#process)
  }

  /** Sends a request as one client, and resolves when its answer has been read, or enough of it. */
  async send({ method, path, body, enough, headers, times = 1 }: Case): Promise<void> {
    const options = { method, path, agent: this.#agent, ...(headers ? { headers } : {}) }
    const text = body()
    for (let i = 0; i < times; i++) await this.#exchange(options, text, enough)
  }

  /** Sends bytes over several connections at once as the same client, and resolves when each has its answers or was closed. */
  async sendRaw({ connections, text, answers }: RawCase): Promise<void> {
    const bytes = text()
    const isDone = (socket: Socket) =>
      new Promise<void>((resolve) => {
        let left = answers
        socket.on("close", () => resolve())
        socket.on("error", () => resolve())
        socket.on("data", (piece) => {
          left -= piece.toString("latin1").split("HTTP/1.1 ").length - 1
          if (left <= 0) resolve()
        })
      })
    const sockets = Array.from({ length: connections }, () => connect(this.known.port, "127.0.0.1"))
    const done = sockets.map(isDone)
    for (const socket of sockets) socket.write(bytes)
    await Promise.all(done)
    for (const socket of sockets) socket.destroy()
  }

  /**
   * Asks small things as another client, one after the other, until it is stopped; returns how long each took, in milliseconds. On Linux these
   * are milliseconds in which the server's main thread ran: how long the client would have waited if the server had a core of its own. It asks
   * again when the server has run for a while, so that its own requests are a small part of what the server does, also on a busy machine.
   */
  probe(): { stop(): Promise<readonly number[]> } {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const times: number[] = []
    let isStopped = false
    const asking = (async () => {
      let ended = Number.NEGATIVE_INFINITY
      while (!isStopped) {
        const started = this.#clock()
        const asides = this.#asides
        if (started - ended >= PROBE_EVERY && asides % 2 === 0) {
          await this.#exchange({ method: "GET", path: "/ext/health/liveness", agent, localAddress: "127.0.0.9" }, "")
          ended = this.#clock()
          if (asides === this.#asides) times.push(ended - started)
        }
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      agent.destroy()
      return times
    })()
    return {
      stop() {
        isStopped = true
        return asking
      },
    }
  }

  #clock(): number {
    const { pid } = this.#process
    const file = `/proc/${pid}/task/${pid}/schedstat`
    return existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6 : performance.now()
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
    // The process ends by itself when it has no parent, and removes its directory.
    this.#process.disconnect()
  }

  #exchange(options: object, body: string, enough?: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json" }
      const sent = request({ host: "127.0.0.1", port: this.known.port, headers, ...options }, (response) => {
        let left = enough ?? Number.POSITIVE_INFINITY
        const end = () => resolve(response.statusCode as number)
        response.on("end", end)
        if (response.statusCode === 200 && left === 0) left = 1
        response.on("data", ({ length }: Buffer) => {
          left -= length
          if (left > 0) return
          end()
          sent.destroy()
        })
        if (enough === 0 && response.statusCode === 200) {
          end()
          sent.destroy()
        }
      })
      sent.on("error", reject)
      sent.end(body)
    })
  }
}

/** The next message of a process. Throws if it ends before. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const onExit = () => ended.abort()
  child.once("exit", onExit)
  try {
    const [answer] = await once(child, "message", { signal: ended.signal })
    return answer
  } finally {
    child.off("exit", onExit)
  }
}
