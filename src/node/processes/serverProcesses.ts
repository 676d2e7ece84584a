import cluster, { type Worker } from "node:cluster"
import { setTimeout as pause } from "node:timers/promises"
import type { Log } from "../../core/lib/log.js"
import type { CheckResult, HealthReport } from "../../jsonrpc/health/monitor.js"
import { mergeMetrics } from "../../jsonrpc/metrics/mergeMetrics.js"
import { type MetricSamples, printMetrics } from "../../jsonrpc/metrics/registry.js"
import { answerTo, type Request, Requests } from "../../workers/requests.js"
import type { FromProcess, StatusQuestion, ToProcess } from "./servingProcess.js"

export interface ServerProcessesOptions {
  readonly count: number
  /** Variables that are added to the environment of the processes. */
  readonly env: Readonly<Record<string, string>>
  readonly log: Log
}

/** A process that ends within this time after its start is not replaced before it is over, milliseconds. */
const REPLACE_AFTER = 1_000

/** The time within which a process must report its status, milliseconds. */
const STATUS_TIMEOUT = 2_000

interface Member {
  readonly worker: Worker
  readonly requests: Requests
  readonly startedAt: number
  isReady: boolean
}

/** Thrown if the first process ends before it serves. It has printed the reason. */
export class ProcessEnded extends Error {
  override readonly name = "ProcessEnded"
  constructor(readonly code: number | string) {
    super(`the first process ended before it served (${code})`)
  }
}

/** The processes that serve one chain at one port. One that ends is replaced, and each can ask for the status of all of them. */
export class ServerProcesses {
  readonly #options: ServerProcessesOptions
  readonly #members = new Set<Member>()
  #first: { resolve(banner: string): void; reject(error: Error): void } | undefined
  #hasServed = false
  #isStopping = false
  #onEmpty = () => {}
  #replacing: NodeJS.Timeout | undefined

  constructor(options: ServerProcessesOptions) {
    this.#options = options
  }

  /** Starts the first process, and the others when it serves. Resolves with the banner of the first one. Throws `ProcessEnded`. */
  async start(): Promise<string> {
    cluster.setupPrimary({ serialization: "advanced" })
    const banner = await new Promise<string>((resolve, reject) => {
      this.#first = { resolve, reject }
      this.#startOne()
    })
    this.#hasServed = true
    this.#startMissing()
    return banner
  }

  /** Lets all processes finish their requests. Resolves when they have ended. */
  stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#replacing)
    for (const member of this.#members) send(member, { kind: "stop" })
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      if (this.#members.size === 0) resolve()
    })
  }

  kill(): void {
    for (const { worker } of this.#members) worker.process.kill("SIGKILL")
  }

  #startMissing(): void {
    if (this.#isStopping) return
    while (this.#members.size < this.#options.count) this.#startOne()
  }

  #startOne(): void {
    const worker = cluster.fork(this.#options.env)
    const member: Member = { worker, requests: new Requests(), startedAt: performance.now(), isReady: false }
    this.#members.add(member)
    worker.on("message", (message: FromProcess) => this.#received(member, message))
    worker.on("exit", (code, signal) => this.#exited(member, signal ?? code))
    // A message to a process that has just ended is lost with it.
    worker.on("error", () => {})
  }

  #received(member: Member, message: FromProcess): void {
    if (message.kind === "request") void this.#answer(member, message)
    else if (message.kind !== "ready") member.requests.received(message)
    else {
      member.isReady = true
      this.#first?.resolve(message.banner)
    }
  }

  async #answer(member: Member, { id, question }: Request<StatusQuestion>): Promise<void> {
    const answer = await answerTo(id, () => this.#statusOfAll(question))
    if (this.#members.has(member)) send(member, answer)
  }

  async #statusOfAll(question: StatusQuestion): Promise<string | HealthReport> {
    const timestamp = new Date().toISOString()
    const serving = [...this.#members].filter(({ isReady }) => isReady)
    if (question.kind === "metrics") {
      const samples = await Promise.all(serving.map((member) => this.#ask<readonly MetricSamples[]>(member, question)))
      return printMetrics(mergeMetrics(samples.filter((each) => each !== undefined)))
    }
    const reports = await Promise.all(serving.map((member) => this.#ask<HealthReport>(member, question)))
    const silent: HealthReport = {
      checks: { processes: { error: "a process does not answer", timestamp, duration: 0 } },
      healthy: false,
    }
    const processes = { serving: serving.length, count: this.#options.count }
    return mergeReports(
      reports.map((report) => report ?? silent),
      { message: processes, timestamp, duration: 0 },
    )
  }

  /** Asks a process for its status; `undefined` if it does not answer in time. */
  #ask<T>(member: Member, question: StatusQuestion): Promise<T | undefined> {
    const answer = member.requests.send<StatusQuestion, T>(question, (request) => send(member, request))
    return Promise.race([answer.catch(() => undefined), pause(STATUS_TIMEOUT, undefined, { ref: false })])
  }

  #exited(member: Member, code: number | string): void {
    if (!this.#members.delete(member)) return
    member.requests.end(new Error("the process has ended"))
    if (this.#isStopping) {
      if (this.#members.size === 0) this.#onEmpty()
    } else if (this.#hasServed) this.#replace(member, code)
    else this.#first?.reject(new ProcessEnded(code))
  }

  #replace(member: Member, code: number | string): void {
    this.#options.log.warn("a process that serves the chain ended and is replaced", { code, left: this.#members.size })
    const lived = performance.now() - member.startedAt
    if (lived >= REPLACE_AFTER) this.#startMissing()
    else this.#replacing = setTimeout(() => this.#startMissing(), REPLACE_AFTER - lived)
  }
}

const send = ({ worker }: Member, message: ToProcess): void => void (worker.isConnected() && worker.send(message))

/**
 * Merges the health reports of processes. A check is that of the first process in which it fails, or of the first process. The check
 * `processes` never fails, because a process that ended is replaced and the others answer meanwhile.
 */
function mergeReports(reports: readonly HealthReport[], processes: CheckResult): HealthReport {
  const checks: Record<string, CheckResult> = {}
  for (const report of reports) {
    for (const [name, check] of Object.entries(report.checks)) {
      const known = checks[name]
      if (!known || (known.error === undefined && check.error !== undefined)) checks[name] = check
    }
  }
  return { checks: { ...checks, processes }, healthy: reports.length > 0 && reports.every(({ healthy }) => healthy) }
}
