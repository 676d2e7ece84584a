import type { Socket } from "node:net"
import type { Log } from "../../core/lib/log.js"
import type { ForwardedCall, ForwardedOutcome } from "../../jsonrpc/call/forwardedCall.js"
import type { HttpResponse } from "../../jsonrpc/http/send.js"
import type { MetricSamples } from "../../jsonrpc/metrics/registry.js"
import type { ChargedUnits, ForwardedPage, FromWorker, MainStatus, ToWorker, WorkerSetup } from "./messages.js"
import { Questions } from "./questions.js"

/** A process that answers calls. */
export interface WorkerProcess {
  send(message: ToWorker, socket?: Socket): void
  /** Ends the process at once. */
  kill(): void
}

/** Reports of a worker process. */
export interface WorkerEvents {
  received(message: FromWorker): void
  exited(reason: string): void
}

/** Parts of a pool of workers. */
export interface WorkerPoolOptions {
  readonly count: number
  readonly log: Log
  setup(): WorkerSetup
  spawn(events: WorkerEvents): WorkerProcess
  /** Calls back after some milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void
  /** Executes a call of a worker. */
  call(call: ForwardedCall): Promise<ForwardedOutcome>
  /** Answers a page for a worker. */
  page(page: ForwardedPage): Promise<HttpResponse>
  /** Serves a connection for which there is no worker. */
  adopt(socket: Socket): void
  /** Charges clients in the main process for units that they used in a worker. */
  charged(units: ChargedUnits): void
}

/** The time in milliseconds within which a worker that ends after its start is not replaced at once. */
const SOON = 1000

interface Worker {
  readonly process: WorkerProcess
  readonly questions: Questions
  readonly started: number
  /** Connections that are sent after the previous one has arrived. Those being sent are lost if the process dies. */
  readonly waiting: Socket[]
  isReady: boolean
  isTaking: boolean
}

/**
 * The workers that answer calls for one node. The pool sends them connections in turn, answers their questions, relays charged units, and
 * replaces workers that die.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #workers = new Set<Worker>()
  #turn = 0
  #isStopping = false
  #onEmpty = () => {}
  #cancelStart = () => {}

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#isStopping) return
    while (this.#workers.size < this.#options.count) this.#spawn()
  }

  /** Number of workers that take connections. */
  get ready(): number {
    return [...this.#workers].filter(({ isReady }) => isReady).length
  }

  /** Sends a connection to the next worker. Returns false if none accepts connections yet. */
  give(socket: Socket): boolean {
    const ready = [...this.#workers].filter(({ isReady }) => isReady)
    const next = ready[this.#turn++ % Math.max(1, ready.length)]
    if (!next) return false
    next.waiting.push(socket)
    this.#sendNext(next)
    return true
  }

  #sendNext(worker: Worker): void {
    const socket = worker.isTaking ? undefined : worker.waiting.shift()
    if (!socket) return
    worker.isTaking = true
    worker.process.send({ kind: "connection" }, socket)
  }

  /** Sends a message to all workers, or to all but one. */
  broadcast(message: ToWorker, except?: Worker): void {
    for (const worker of this.#workers) if (worker.isReady && worker !== except) worker.process.send(message)
  }

  updateStatus(status: MainStatus): void {
    this.broadcast({ kind: "status", status })
  }

  /** Returns the metrics of all workers, except of one that dies meanwhile. */
  async samples(): Promise<readonly (readonly MetricSamples[])[]> {
    const ready = [...this.#workers].filter(({ isReady }) => isReady)
    const replies = ready.map(({ questions, process }) =>
      questions.ask<readonly MetricSamples[]>((id) => process.send({ kind: "samples", id })).catch(() => []),
    )
    return Promise.all(replies)
  }

  /** Lets all workers finish their requests. Resolves when they have ended. */
  stop(): Promise<void> {
    this.#isStopping = true
    this.#cancelStart()
    for (const { process } of this.#workers) process.send({ kind: "stop" })
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      if (this.#workers.size === 0) resolve()
    })
  }

  /** Ends all workers at once. */
  kill(): void {
    for (const { process } of this.#workers) process.kill()
  }

  #spawn(): void {
    const worker: Worker = {
      process: this.#options.spawn({
        received: (message) => this.#received(worker, message),
        exited: (reason) => this.#exited(worker, reason),
      }),
      questions: new Questions(),
      started: performance.now(),
      waiting: [],
      isReady: false,
      isTaking: false,
    }
    this.#workers.add(worker)
    worker.process.send({ kind: "start", setup: this.#options.setup() })
  }

  #received(worker: Worker, message: FromWorker): void {
    const { log, call, page, charged } = this.#options
    switch (message.kind) {
      case "ready":
        worker.isReady = true
        break
      case "taken":
        worker.isTaking = false
        this.#sendNext(worker)
        break
      case "call":
        this.#answer(worker, message.id, call(message.question))
        break
      case "page":
        this.#answer(worker, message.id, page(message.question))
        break
      case "units":
        charged(message.units)
        this.broadcast({ kind: "units", units: message.units }, worker)
        break
      case "log":
        log[message.level](message.event, message.data)
        break
      case "answer":
        worker.questions.answered(message)
    }
  }

  #answer(worker: Worker, id: number, answer: Promise<unknown>): void {
    const send = (message: ToWorker) => {
      if (this.#workers.has(worker)) worker.process.send(message)
    }
    answer.then(
      (value) => send({ kind: "answer", id, value }),
      (error) => send({ kind: "failure", id, reason: String((error as Error).stack ?? error) }),
    )
  }

  #exited(worker: Worker, reason: string): void {
    if (!this.#workers.delete(worker)) return
    worker.questions.end("the worker has ended")
    for (const socket of worker.waiting) if (!this.give(socket)) this.#options.adopt(socket)
    if (this.#isStopping) {
      if (this.#workers.size === 0) this.#onEmpty()
      return
    }
    this.#options.log.warn("an API worker ended and is replaced", { reason, workers: this.#workers.size })
    const lived = performance.now() - worker.started
    if (lived >= SOON) this.start()
    else this.#cancelStart = this.#options.after(SOON - lived, () => this.start())
  }
}
