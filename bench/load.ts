import { type ChildProcess, spawn } from "node:child_process"

/** A load: requests in turns, over a number of connections, one at a time on each. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
}

/** The result of a load. */
export interface ServedLoad {
  readonly perSecond: number
  /** Processor time of this process, the server, for each answer, in microseconds: what other processes take does not count. */
  readonly cpuMicros: number
  /** Milliseconds that 99 of 100 answers took at most. */
  readonly p99: number
  /** Bytes of an answer's body. */
  readonly size: number
}

/** Sends requests as fast as they are answered, from a process of its own. */
export class LoadGenerator {
  readonly #child: ChildProcess = spawn(process.execPath, ["-e", `(${generate.toString()})()`], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  })

  /** Replaces the requests; not with every load, since that would cost the server's process time. */
  prepare(requests: readonly Uint8Array[]): void {
    this.#child.send(requests)
  }

  run(load: Load): Promise<ServedLoad> {
    const before = process.cpuUsage()
    return new Promise((resolve, reject) => {
      const failed = () => reject(new Error("the load generator is gone"))
      this.#child.once("exit", failed)
      this.#child.once("message", ({ count, ...served }: Omit<ServedLoad, "cpuMicros"> & { count: number }) => {
        this.#child.off("exit", failed)
        const { user, system } = process.cpuUsage(before)
        resolve({ ...served, cpuMicros: (user + system) / count })
      })
      this.#child.send(load)
    })
  }

  stop(): void {
    this.#child.kill()
  }
}

/** The whole program of the process. It is passed as text, so it may not refer to anything outside. */
function generate(): void {
  const { connect } = process.getBuiltinModule("node:net")
  let requests: readonly Uint8Array[] = []
  // Continues from one load to the next, so that fresh questions are not repeated.
  let turn = 0
  process.on("message", (message: Load | readonly Uint8Array[]) => {
    if (!("port" in message)) {
      requests = message
      return
    }
    const { port, connections, milliseconds } = message
    const latencies: number[] = []
    let size = 0
    let open = connections
    const started = performance.now()
    const deadline = started + milliseconds
    const finish = () => {
      latencies.sort((a, b) => a - b)
      const perSecond = (latencies.length * 1000) / (performance.now() - started)
      const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN
      process.send?.({ count: latencies.length, perSecond, p99, size })
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
