import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { bundle } from "../../child.js"
import type { Case, Known } from "./cases.js"

/** What a server has used since its start, in milliseconds, bytes and units; and its longest stretch of work since the last question. */
export interface Usage {
  readonly cpu: number
  readonly rss: number
  readonly units: number
  readonly longest: number
}

/** A public server of a large chain in a process of its own. */
export class ServerProcess implements Disposable {
  readonly #process: ChildProcess
  readonly #agent = new Agent({ keepAlive: true })
  readonly known: Known & { readonly port: number }

  private constructor(process: ChildProcess, known: Known & { readonly port: number }) {
    this.#process = process
    this.known = known
  }

  /** `share`: how large its chain is, as a part of the one that the API's speed is promised for. */
  static async start(share: number): Promise<ServerProcess> {
    const child = fork(bundle("test/rpc/limits/servedChain.ts"), [String(share)])
    const [known] = await once(child, "message")
    return new ServerProcess(child, known)
  }

  async usage(): Promise<Usage> {
    return (await this.#ask("usage")) as Usage
  }

  /** How many times as long as on an idle machine its work takes here and now. */
  async slowness(): Promise<number> {
    return (await this.#ask("slowness")) as number
  }

  async #ask(question: string): Promise<unknown> {
    this.#process.send(question)
    const [answer] = await once(this.#process, "message")
    return answer
  }

  /** Sends a request as one client, and returns the status when its answer has been read. */
  send({ method, path, body }: Case): Promise<number> {
    return this.#exchange({ method, path, agent: this.#agent }, body)
  }

  /** Asks small things as another client, one after the other, until it is stopped; returns how long each took, in milliseconds. */
  probe(): { stop(): Promise<readonly number[]> } {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const times: number[] = []
    let isStopped = false
    const asking = (async () => {
      while (!isStopped) {
        const started = performance.now()
        await this.#exchange({ method: "GET", path: "/ext/health/liveness", agent, localAddress: "127.0.0.9" }, "")
        times.push(performance.now() - started)
        await new Promise((resolve) => setTimeout(resolve, 2))
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

  [Symbol.dispose](): void {
    this.#agent.destroy()
    this.#process.kill()
  }

  #exchange(options: object, body: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json" }
      const sent = request({ host: "127.0.0.1", port: this.known.port, headers, ...options }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode as number))
      })
      sent.on("error", reject)
      sent.end(body)
    })
  }
}
