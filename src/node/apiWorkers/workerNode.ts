import type { Socket } from "node:net"
import { hrpOf } from "../../core/networks/names.js"
import type { ForwardedOutcome } from "../../jsonrpc/call/forwardedCall.js"
import type { HttpResponse } from "../../jsonrpc/http/send.js"
import { ActivityLog } from "../activityLog.js"
import { type NodeApi, openApi } from "../api.js"
import { type NodeServer, openHttpServer } from "../httpServer.js"
import { openStore } from "../openStore.js"
import { StoreFollower } from "../storeFollower.js"
import type { ForwardedPage, FromWorker, MainStatus, ToWorker, WorkerSetup } from "./messages.js"
import { Questions } from "./questions.js"
import { remoteLog } from "./remoteLog.js"
import { UnitsLedger } from "./unitsLedger.js"
import { workerPort } from "./workerPort.js"

/** Interval in milliseconds at which the units that clients were charged are reported to the other processes. */
const REPORT_EVERY = 20

/** The port of a worker to its process. */
export interface WorkerShell {
  send(message: FromWorker): void
  exit(code: number): void
}

/** A started worker. */
interface WorkerParts {
  readonly api: NodeApi
  readonly server: NodeServer
  close(): Promise<void>
}

/** A process that answers calls from the store, and forwards calls that need more to the main process. */
export class WorkerNode {
  readonly #shell: WorkerShell
  readonly #questions = new Questions()
  readonly #ledger = new UnitsLedger()
  #status: MainStatus = { isReady: false }
  #started: WorkerParts | undefined

  constructor(shell: WorkerShell) {
    this.#shell = shell
  }

  receive(message: ToWorker, socket: Socket | undefined): void {
    switch (message.kind) {
      case "start":
        this.#start(message.setup)
        break
      case "connection":
        if (socket) this.#started?.server.adopt(socket)
        this.#shell.send({ kind: "taken" })
        break
      case "status":
        this.#status = message.status
        break
      case "units":
        for (const [client, units] of message.units) this.#started?.server.chargeElsewhere(client, units)
        break
      case "samples":
        this.#shell.send({ kind: "answer", id: message.id, value: this.#started?.api.metrics.samples() ?? [] })
        break
      case "stop":
        void this.#stop()
        break
      default:
        this.#questions.answered(message)
    }
  }

  #start(setup: WorkerSetup): void {
    this.#status = setup.status
    const log = remoteLog(setup.logLevel, (line) => this.#shell.send(line))
    const store = openStore(setup.dir, { readOnly: true })
    const onLost = (error: Error) => {
      log.error("an API worker lost its store", { reason: error.message })
      this.#shell.exit(1)
    }
    const follower = new StoreFollower({ store, isSignedIn: true, onLost })
    const node = workerPort({ setup, store, follower, status: () => this.#status, wall: () => Date.now() })
    const { rules, dialect, isPublic, cacheBytes } = setup
    const activity = new ActivityLog({ log, hrp: hrpOf(rules.networkID), avaxAssetID: rules.avaxAssetID, now: () => Date.now() })
    const api = openApi({
      dialect,
      rules,
      node,
      isPublic,
      cacheBytes,
      snapshot: () => store.view(),
      meta: store,
      version: () => follower.version(),
      keepsSnapshots: true,
      isReady: () => this.#status.isReady,
      main: {
        hasDev: setup.mode === "dev" && !isPublic,
        forward: (question) => this.#questions.ask<ForwardedOutcome>((id) => this.#shell.send({ kind: "call", id, question })),
      },
      observe: (call) => activity.called(call),
      onRefusal: (error) => activity.refused(error),
      onFault: (error, method) => log.error("rpc fault", { method, error: String((error as Error).stack ?? error) }),
    })
    const server = openHttpServer(api, setup.http, {
      onResponse: (status) => activity.responded(status),
      onUnits: (client, units) => this.#ledger.add(client, units),
      pages: {
        metrics: () => this.#page({ page: "metrics", query: "" }),
        health: (page, query) => this.#page({ page, query }),
      },
    })
    const reports = setInterval(() => this.#reportUnits(), REPORT_EVERY)
    const close = async () => {
      clearInterval(reports)
      follower.stop()
      await server.close()
      activity.flush()
      api.close()
      await store.close()
    }
    this.#started = { api, server, close }
    this.#shell.send({ kind: "ready" })
  }

  #page(question: ForwardedPage): Promise<HttpResponse> {
    return this.#questions.ask((id) => this.#shell.send({ kind: "page", id, question }))
  }

  #reportUnits(): void {
    const units = this.#ledger.take()
    if (units) this.#shell.send({ kind: "units", units })
  }

  async #stop(): Promise<void> {
    await this.#started?.close()
    this.#shell.exit(0)
  }
}
