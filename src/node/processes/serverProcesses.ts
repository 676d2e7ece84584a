import type { Log } from "../../core/lib/log.js"
import type { CheckResult, HealthReport } from "../../jsonrpc/health/monitor.js"
import { mergeMetrics } from "../../jsonrpc/metrics/mergeMetrics.js"
import { type MetricSamples, printMetrics } from "../../jsonrpc/metrics/registry.js"
import { answerTo, type Request, Requests } from "../../workers/requests.js"
import { failure } from "../failure.js"
import type { FromProcess, StatusQuestion, ToProcess } from "./messages.js"

export interface StartedProcess {
  send(message: ToProcess): void
  /** Ends the process at once. */
  kill(): void
}

/** Reports of a started process. */
export interface ProcessEvents {
  received(message: FromProcess): void
  /** `code` is the exit code, or the signal that ended the process. */
  exited(code: number | string): void
}

export interface ServerProcessesOptions {
  readonly count: number
  readonly log: Log
  start(events: ProcessEvents): StartedProcess
  /** Calls back after some milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void
  /** Returns the present time in RFC 3339. */
  timestamp(): string
}

/** A process that ends within this time after its start is not replaced before it is over, milliseconds. */
const REPLACE_AFTER = 1_000

/** The time within which a process must report its status, milliseconds. */
const STATUS_TIMEOUT = 2_000

interface Member {
  readonly process: StartedProcess
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

/** The processes that serve one chain at one port. Those that end are replaced, and each can ask for the status of all of them. */
export class ServerProcesses {
  readonly #options: ServerProcessesOptions
  readonly #members = new Set<Member>()
  readonly #firstFailure = failure()
  #onFirstReady: (banner: string) => void = () => {}
  #hasServed = false
  #isStopping = false
  #onEmpty = () => {}
  #cancelStart = () => {}

  constructor(options: ServerProcessesOptions) {
    this.#options = options
  }

  /**
   * Starts the first process, which may have to bring the store up to date, and the others when it serves. Resolves with the banner of the
   * first one. Throws `ProcessEnded`.
   */
  async start(): Promise<string> {
    const ready = new Promise<string>((resolve) => {
      this.#onFirstReady = resolve
    })
    this.#startOne()
    const banner = await Promise.race([ready, this.#firstFailure.failed])
    this.#hasServed = true
    this.#startMissing()
    return banner
  }

  /** Lets all processes finish their requests. Resolves when they have ended. */
  stop(): Promise<void> {
    this.#isStopping = true
    this.#cancelStart()
    for (const { process } of this.#members) process.send({ kind: "stop" })
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      if (this.#members.size === 0) resolve()
    })
  }

  /** Ends all processes at once. */
  kill(): void {
    for (const { process } of this.#members) process.kill()
  }

  #startMissing(): void {
    if (this.#isStopping) return
    while (this.#members.size < this.#options.count) this.#startOne()
  }

  #startOne(): void {
    const process = this.#options.start({
      received: (message) => this.#received(member, message),
      exited: (code) => this.#exited(member, code),
    })
    const member: Member = { process, requests: new Requests(), startedAt: performance.now(), isReady: false }
    this.#members.add(member)
  }

  #received(member: Member, message: FromProcess): void {
    if (message.kind === "request") void this.#answer(member, message)
    else if (message.kind !== "ready") member.requests.received(message)
    else {
      member.isReady = true
      this.#onFirstReady(message.banner)
    }
  }

  async #answer(member: Member, { id, question }: Request<StatusQuestion>): Promise<void> {
    const answer = await answerTo(id, () => this.#statusOfAll(question))
    if (this.#members.has(member)) member.process.send(answer)
  }

  async #statusOfAll(question: StatusQuestion): Promise<string | HealthReport> {
    const { count, timestamp } = this.#options
    const serving = [...this.#members].filter(({ isReady }) => isReady)
    if (question.kind === "metrics") {
      const samples = await Promise.all(serving.map((member) => this.#ask<readonly MetricSamples[]>(member, question)))
      return printMetrics(mergeMetrics(samples.filter((each) => each !== undefined)))
    }
    const reports = await Promise.all(serving.map((member) => this.#ask<HealthReport>(member, question)))
    const silent: HealthReport = {
      checks: { processes: { error: "a process does not answer", timestamp: timestamp(), duration: 0 } },
      healthy: false,
    }
    return mergeReports(
      reports.map((report) => report ?? silent),
      { serving: serving.length, count },
      timestamp(),
    )
  }

  /** Asks a process for its status; `undefined` if it does not answer in time. */
  #ask<T>({ process, requests }: Member, question: StatusQuestion): Promise<T | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#options.after(STATUS_TIMEOUT, () => resolve(undefined))
      const end = (value: T | undefined) => {
        cancel()
        resolve(value)
      }
      requests.send<StatusQuestion, T>(question, (request) => process.send(request)).then(end, () => end(undefined))
    })
  }

  #exited(member: Member, code: number | string): void {
    if (!this.#members.delete(member)) return
    member.requests.end(new Error("the process has ended"))
    if (this.#isStopping) {
      if (this.#members.size === 0) this.#onEmpty()
      return
    }
    if (!this.#hasServed) {
      this.#firstFailure.fail(new ProcessEnded(code))
      return
    }
    this.#options.log.warn("a process that serves the chain ended and is replaced", { code, left: this.#members.size })
    const lived = performance.now() - member.startedAt
    if (lived >= REPLACE_AFTER) this.#startMissing()
    else this.#cancelStart = this.#options.after(REPLACE_AFTER - lived, () => this.#startMissing())
  }
}

/** The number of processes that serve, and of those that should. */
interface ProcessCount {
  readonly serving: number
  readonly count: number
}

/**
 * Merges the health reports of processes. A check is that of the first process in which it fails, or of the first process. The check
 * `processes` never fails, because a process that ended is replaced and the others answer meanwhile.
 */
function mergeReports(reports: readonly HealthReport[], processes: ProcessCount, timestamp: string): HealthReport {
  const checks: Record<string, CheckResult> = {}
  for (const report of reports) {
    for (const [name, check] of Object.entries(report.checks)) {
      const known = checks[name]
      if (!known || (known.error === undefined && check.error !== undefined)) checks[name] = check
    }
  }
  checks.processes = { message: { ...processes }, timestamp, duration: 0 }
  return { checks, healthy: reports.length > 0 && reports.every(({ healthy }) => healthy) }
}
