import { type AddressInfo, createServer, type Server } from "node:net"
import type { Log } from "../../core/lib/log.js"
import { executeForwarded } from "../../jsonrpc/call/forward.js"
import { type ListenAddress, listeningAt } from "../../jsonrpc/http/listener.js"
import type { HttpOptions } from "../../jsonrpc/http/options.js"
import { healthPage, metricsPage } from "../../jsonrpc/http/routes.js"
import type { HttpResponse } from "../../jsonrpc/http/send.js"
import { LoopScheduler } from "../../jsonrpc/limits/loopScheduler.js"
import { mergeMetrics } from "../../jsonrpc/metrics/mergeMetrics.js"
import { printMetrics } from "../../jsonrpc/metrics/registry.js"
import type { NodeApi } from "../api.js"
import { type HttpHooks, type NodeServer, openHttpServer } from "../httpServer.js"
import { forkWorker } from "./forkWorker.js"
import { LoadWatch } from "./loadWatch.js"
import type { ForwardedPage, MainStatus, WorkerSetup } from "./messages.js"
import { shareOf } from "./shareOf.js"
import { UnitsLedger } from "./unitsLedger.js"
import { WorkerPool } from "./workerPool.js"

/** Intervals at which units, and the status of a joined node, are reported to workers, milliseconds. */
const REPORT_EVERY = 20
const STATUS_EVERY = 1000

/** Milliseconds that a question to another process and its answer take, at most. */
const QUESTION_MILLISECONDS = 0.5

/** Parts of a server whose calls several processes answer. */
export interface WorkerServerOptions {
  readonly api: NodeApi
  readonly http: HttpOptions
  readonly count: number
  /** The program of a worker. */
  readonly program: string
  readonly mode: WorkerSetup["mode"]
  readonly log: Log
  /** True if the workers start only when calls keep the main process busy. */
  readonly startsWhenBusy: boolean
  /** Resolves when there is data for workers to read; at once by default. */
  readonly written?: Promise<void> | undefined
  readonly onResponse: NonNullable<HttpHooks["onResponse"]>
  /** Returns the facts that a worker needs when it starts. */
  setup(): Omit<WorkerSetup, "http" | "status">
  status(): MainStatus
}

/** Opens the server of a node whose calls several processes answer. */
export function openWorkerServer(options: WorkerServerOptions): NodeServer {
  const server = new WorkerServer(options)
  return {
    ...server.own,
    workers: () => server.workers,
    listen: () => server.listen(),
    close: () => server.close(),
  }
}

/**
 * Listens, and sends each connection to one of several worker processes. The main process answers itself until the first of them is ready,
 * and whenever none is.
 */
class WorkerServer {
  /** The server that answers in this process. */
  readonly own: NodeServer
  readonly #options: WorkerServerOptions
  readonly #http: HttpOptions
  readonly #ledger = new UnitsLedger()
  readonly #watch = new LoadWatch(() => this.#startWorkers())
  /** Divides the event loop of this process among the calls that workers forward. */
  readonly #scheduler = new LoopScheduler()
  /** Number of calls that workers have forwarded. */
  #forwarded = 0
  readonly #pool: WorkerPool
  readonly #front: Server
  readonly #timers: NodeJS.Timeout[] = []

  constructor(options: WorkerServerOptions) {
    this.#options = options
    this.#http = shareOf(options.http, options.count)
    this.own = openHttpServer(options.api, this.#http, {
      onResponse: (status) => this.#responded(status),
      onUnits: (client, units) => this.#charged(client, units),
      pages: {
        metrics: () => this.#metrics(),
        health: async (page, query) => this.#page({ page, query }),
      },
    })
    this.#pool = this.#openPool()
    this.#front = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) => {
      if (!this.#pool.give(socket)) this.own.adopt(socket)
    })
  }

  get workers(): { readonly ready: number; readonly count: number } {
    return { ready: this.#pool.ready, count: this.#options.count }
  }

  async listen() {
    const listening = await listenAt(this.#front, this.#options.http)
    if (this.#options.startsWhenBusy) this.#watch.start()
    else this.#startWorkers()
    return { ...listening, ...(await this.own.listenAside()) }
  }

  async close(): Promise<void> {
    this.#watch.stop()
    for (const timer of this.#timers) clearInterval(timer)
    this.#front.close()
    const timer = setTimeout(() => this.#pool.kill(), this.#options.http.stopTimeout + KILL_AFTER)
    await Promise.all([this.own.close(), this.#pool.stop()])
    this.#scheduler.close()
    clearTimeout(timer)
  }

  #openPool(): WorkerPool {
    const { api, log, count, program, setup, status } = this.#options
    return new WorkerPool({
      count,
      log,
      setup: () => ({ ...setup(), http: this.#http, status: status() }),
      spawn: (events) => forkWorker(program, events),
      after(milliseconds, callback) {
        const timer = setTimeout(callback, milliseconds)
        return () => clearTimeout(timer)
      },
      call: (call) => {
        const turns = { scheduler: this.#scheduler, name: String(this.#forwarded++) }
        return executeForwarded(call, api.endpointOf(call.service), (report) => api.reportForwarded(report), turns)
      },
      page: (asked) => this.#page(asked),
      adopt: (socket) => this.own.adopt(socket),
      charged: (units) => {
        for (const [client, each] of units) this.own.chargeElsewhere(client, each)
      },
    })
  }

  #startWorkers(): void {
    const { startsWhenBusy, count, written, mode, log } = this.#options
    if (startsWhenBusy) log.info("calls keep this process busy: API workers start", { count })
    if (written) written.then(() => this.#pool.start()).catch(() => {})
    else this.#pool.start()
    this.#timers.push(setInterval(() => this.#reportUnits(), REPORT_EVERY))
    if (mode === "join") this.#timers.push(setInterval(() => this.#pool.updateStatus(this.#options.status()), STATUS_EVERY))
  }

  #responded(status: number): void {
    this.#watch.answered()
    this.#options.onResponse(status)
  }

  /** Adds units that are reported to the workers, if there are any. */
  #charged(client: string, units: number): void {
    if (this.#timers.length > 0) this.#ledger.add(client, units)
  }

  #reportUnits(): void {
    const units = this.#ledger.take()
    if (units) this.#pool.broadcast({ kind: "units", units })
  }

  async #metrics(): Promise<HttpResponse> {
    const workers = await this.#pool.samples()
    const started = performance.now()
    const own = this.#options.api.metrics.samples()
    // Each worker takes as long to collect its samples.
    const elsewhere = workers.length * (performance.now() - started + QUESTION_MILLISECONDS)
    const page = metricsPage(printMetrics(mergeMetrics([own, ...workers])))
    return { ...page, milliseconds: elsewhere + performance.now() - started }
  }

  async #page({ page, query }: ForwardedPage): Promise<HttpResponse> {
    if (page === "metrics") return this.#metrics()
    const started = performance.now()
    const made = healthPage(this.#options.api.health, page, query)
    return { ...made, milliseconds: performance.now() - started + QUESTION_MILLISECONDS }
  }
}

/** Milliseconds after its last connection after which a worker that has not ended is killed. */
const KILL_AFTER = 500

function listenAt(front: Server, { host, port }: HttpOptions): Promise<ListenAddress> {
  return new Promise((resolve, reject) => {
    front.once("error", reject)
    front.listen(port, host, () => {
      front.off("error", reject)
      resolve(listeningAt(host, (front.address() as AddressInfo).port))
    })
  })
}
