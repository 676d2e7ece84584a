import { type AddressInfo, createServer, type Server } from "node:net"
import type { Log } from "../../core/lib/log.js"
import { executeForwarded } from "../../jsonrpc/call/forward.js"
import { type Listening, listeningAt } from "../../jsonrpc/http/listener.js"
import type { HttpOptions } from "../../jsonrpc/http/options.js"
import { healthPage, metricsPage } from "../../jsonrpc/http/routes.js"
import type { HttpResponse } from "../../jsonrpc/http/send.js"
import { mergeMetrics } from "../../jsonrpc/metrics/mergeMetrics.js"
import { printMetrics } from "../../jsonrpc/metrics/registry.js"
import type { NodeApi } from "../api.js"
import { type HttpHooks, type NodeServer, openHttpServer } from "../httpServer.js"
import { forkWorker } from "./forkWorker.js"
import type { ForwardedPage, MainStatus, WorkerSetup } from "./messages.js"
import { shareOf } from "./shareOf.js"
import { UnitsLedger } from "./unitsLedger.js"
import { WorkerPool } from "./workerPool.js"

/** Intervals in milliseconds at which units, and the status of a node among peers, are reported to workers. */
const REPORT_EVERY = 20
const STATUS_EVERY = 1000

/** Parts of a server whose calls several processes answer. */
export interface WorkerServerOptions {
  readonly api: NodeApi
  readonly http: HttpOptions
  readonly count: number
  /** The program of a worker. */
  readonly program: string
  readonly setup: Omit<WorkerSetup, "http" | "status">
  readonly log: Log
  /** Resolves when there is something to read for workers; left out: there is. */
  readonly written?: Promise<void> | undefined
  readonly onResponse: NonNullable<HttpHooks["onResponse"]>
  status(): MainStatus
}

/**
 * Listens, and hands each connection to one of several worker processes. Until the first of them is ready, and whenever none is, the main
 * process answers itself.
 */
export function openWorkerServer(options: WorkerServerOptions): NodeServer {
  const { api, log, count, program, onResponse } = options
  const http = shareOf(options.http, count)
  const ledger = new UnitsLedger()
  const pages = {
    metrics: () => metrics(),
    health: async (question: ForwardedPage["page"], query: string) => page({ page: question, query }),
  }
  const own = openHttpServer(api, http, { onResponse, onUnits: (client, units) => ledger.add(client, units), pages })
  const pool = new WorkerPool({
    count,
    log,
    setup: () => ({ ...options.setup, http, status: options.status() }),
    spawn: (events) => forkWorker(program, events),
    after(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds)
      return () => clearTimeout(timer)
    },
    call: (call) => executeForwarded(call, api.endpointOf(call.service), (report) => api.reportForwarded(report)),
    page: (asked) => page(asked),
    adopt: (socket) => own.adopt(socket),
    charged(units) {
      for (const [client, each] of units) own.chargeElsewhere(client, each)
    },
  })
  const metrics = async (): Promise<HttpResponse> =>
    metricsPage(printMetrics(mergeMetrics([api.metrics.samples(), ...(await pool.samples())])))
  const page = async ({ page: asked, query }: ForwardedPage): Promise<HttpResponse> =>
    asked === "metrics" ? metrics() : healthPage(api.health, asked, query)
  const front = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) => {
    if (!pool.give(socket)) own.adopt(socket)
  })
  const timers: NodeJS.Timeout[] = []
  const report = () => {
    const units = ledger.take()
    if (units) pool.tell({ kind: "units", units })
  }
  return {
    ...own,
    workers: () => ({ ready: pool.ready, count }),
    async listen() {
      const listening = await listenAt(front, options.http)
      const { written } = options
      if (written) written.then(() => pool.start()).catch(() => {})
      else pool.start()
      timers.push(setInterval(report, REPORT_EVERY))
      if (options.setup.mode === "join") timers.push(setInterval(() => pool.updateStatus(options.status()), STATUS_EVERY))
      return { ...listening, ...(await own.listenAside()) }
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      front.close()
      const timer = setTimeout(() => pool.kill(), options.http.stopTimeout + KILL_AFTER)
      await Promise.all([own.close(), pool.stop()])
      clearTimeout(timer)
    },
  }
}

/** A worker that has not ended so many milliseconds after its last connection is killed. */
const KILL_AFTER = 500

function listenAt(front: Server, { host, port }: HttpOptions): Promise<Listening> {
  return new Promise((resolve, reject) => {
    front.once("error", reject)
    front.listen(port, host, () => {
      front.off("error", reject)
      resolve(listeningAt(host, (front.address() as AddressInfo).port))
    })
  })
}
