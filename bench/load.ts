import { Worker } from "node:worker_threads"

/** What is to be sent: requests in turns, over so many connections, one at a time on each. */
export interface Load {
  readonly port: number
  readonly requests: readonly Uint8Array[]
  readonly connections: number
  readonly milliseconds: number
}

/** What came of it. */
export interface Served {
  readonly perSecond: number
  /** Milliseconds that 99 of 100 answers took at most. */
  readonly p99: number
  /** Bytes of an answer's body. */
  readonly size: number
}

/** Sends requests as fast as they are answered, from a thread of its own, so that it takes nothing from the server but a processor. */
export class LoadGenerator {
  readonly #worker = new Worker(`(${generate.toString()})()`, { eval: true })

  run(load: Load): Promise<Served> {
    return new Promise((resolve, reject) => {
      this.#worker.once("error", reject)
      this.#worker.once("message", (served: Served) => {
        this.#worker.off("error", reject)
        resolve(served)
      })
      this.#worker.postMessage(load)
    })
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** The whole program of the thread: it is handed over as text, so it may use nothing from outside. */
function generate(): void {
  const { parentPort } = process.getBuiltinModule("node:worker_threads")
  const { connect } = process.getBuiltinModule("node:net")
  parentPort?.on("message", ({ port, requests, connections, milliseconds }: Load) => {
    const latencies: number[] = []
    let size = 0
    let turn = 0
    let open = connections
    const started = performance.now()
    const deadline = started + milliseconds
    const finish = () => {
      latencies.sort((a, b) => a - b)
      const perSecond = (latencies.length * 1000) / (performance.now() - started)
      parentPort?.postMessage({ perSecond, p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN, size })
    }
    for (let i = 0; i < connections; i++) {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true })
      let sent = 0
      let left = 0
      const send = () => {
        if (performance.now() >= deadline) {
          socket.destroy()
          if (--open === 0) finish()
          return
        }
        sent = performance.now()
        socket.write(requests[turn++ % requests.length] as Uint8Array)
      }
      socket.on("error", (error) => {
        throw error
      })
      socket.on("data", (chunk: Buffer) => {
        if (left === 0) {
          const end = chunk.indexOf("\r\n\r\n")
          size = Number(/content-length: (\d+)/i.exec(chunk.toString("latin1", 0, end))?.[1])
          left = end + 4 + size
        }
        left -= chunk.length
        if (left > 0) return
        latencies.push(performance.now() - sent)
        send()
      })
      send()
    }
  })
}
