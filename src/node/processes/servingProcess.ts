import cluster from "node:cluster"
import type { HealthMonitor, HealthPort, HealthQuestion, HealthReport } from "../../jsonrpc/health/monitor.js"
import type { MetricSamples, Registry } from "../../jsonrpc/metrics/registry.js"
import { type Answer, answerTo, type Request, Requests } from "../../workers/requests.js"

/** A question about one process, or from one process about all of them: for the metrics, or about health. */
export type StatusQuestion =
  | { readonly kind: "metrics" }
  | { readonly kind: "health"; readonly question: HealthQuestion; readonly tags: readonly string[] }

/** A message to one of several processes that serve a chain. */
export type ToProcess = Request<StatusQuestion> | { readonly kind: "stop" } | Answer

/** A message from one of several processes that serve a chain. `banner` is the text that describes the server, which now serves. */
export type FromProcess = Request<StatusQuestion> | { readonly kind: "ready"; readonly banner: string } | Answer

/** One of several processes that serve a chain at one port, from its own view. Its status pages speak for all of them. */
export class ServingProcess implements HealthPort {
  readonly #send: (message: FromProcess) => void
  readonly #requests = new Requests()
  #own: { readonly health: HealthMonitor; readonly metrics: Registry } | undefined
  #stop: (reason: string) => void = () => {}
  /** Resolves with a reason when the process must stop. */
  readonly stopped = new Promise<string>((resolve) => {
    this.#stop = resolve
  })

  constructor(send: (message: FromProcess) => void) {
    this.#send = send
  }

  /** Sets what this process reports about itself. */
  reports(health: HealthMonitor, metrics: Registry): void {
    this.#own = { health, metrics }
  }

  /** Returns the health of all processes. */
  report(question: HealthQuestion, tags: readonly string[]): Promise<HealthReport> {
    return this.#ask({ kind: "health", question, tags })
  }

  metricsOfAll(): Promise<string> {
    return this.#ask<string>({ kind: "metrics" })
  }

  ready(banner: string): void {
    this.#send({ kind: "ready", banner })
  }

  receive(message: ToProcess): void {
    if (message.kind === "stop") this.#stop("the main process stops")
    else if (message.kind === "request") void answerTo(message.id, () => this.#ownStatus(message.question)).then(this.#send)
    else this.#requests.received(message)
  }

  #ask<T>(question: StatusQuestion): Promise<T> {
    return this.#requests.send(question, this.#send)
  }

  #ownStatus(question: StatusQuestion): HealthReport | readonly MetricSamples[] {
    if (!this.#own) throw new Error("the process is starting")
    const { health, metrics } = this.#own
    return question.kind === "metrics" ? metrics.samples() : health.report(question.question, question.tags)
  }
}

/** Returns this process as one of several, if `ServerProcesses` started it. It ends with the main process, which alone handles signals. */
export function servingProcess(signals: readonly NodeJS.Signals[]): ServingProcess | undefined {
  if (!cluster.isWorker) return undefined
  for (const signal of signals) process.on(signal, () => {})
  process.once("disconnect", () => process.exit())
  const own = new ServingProcess((message) => process.send?.(message))
  process.on("message", (message: ToProcess) => own.receive(message))
  return own
}
