import type { BootstrapProgress } from "../../core/consensus/bootstrap/bootstrapper.js"
import type { Log } from "../../core/lib/log.js"
import { ProgressLog } from "../progressLog.js"

export interface SyncReportOptions {
  readonly log: Log
  /** Milliseconds after which too few connected bootstrappers are reported. */
  readonly beaconWarningMs: number
  /** Returns Unix milliseconds of a monotonic clock. */
  now(): number
  /** Called at every tick instead of the log lines. */
  readonly watch?: ((progress: BootstrapProgress | undefined) => void) | undefined
}

/** Reports the progress of bootstrapping: to `watch` at every tick, or to the log. */
export class SyncReport {
  readonly #options: SyncReportOptions
  readonly #startedAt: number
  readonly #progressLog: ProgressLog
  #hasWarned = false

  constructor(options: SyncReportOptions) {
    this.#options = options
    this.#startedAt = options.now()
    this.#progressLog = new ProgressLog(options.log, options.now)
  }

  tick(progress: BootstrapProgress | undefined, peers: number): void {
    const { watch } = this.#options
    watch?.(progress)
    if (progress?.phase === "connecting") this.#warnOfMissingBeacons(this.#options.now())
    if (!progress || watch) return
    const { phase, target, lastAccepted: height, waiting } = progress
    const facts = { phase, peers, height: Number(height), target: Number(target), fetched: Number(waiting) }
    this.#progressLog.tick("bootstrapping", { height, target }, facts)
  }

  #warnOfMissingBeacons(now: number): void {
    const { log, beaconWarningMs } = this.#options
    if (this.#hasWarned || now - this.#startedAt < beaconWarningMs) return
    this.#hasWarned = true
    log.warn("too few bootstrappers are connected", { seconds: Math.round(beaconWarningMs / 1000) })
  }
}
