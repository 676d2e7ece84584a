import type { BootstrapProgress } from "../../core/consensus/bootstrap/bootstrapper.js"
import type { Log } from "../../core/lib/log.js"

/** Options of a report of bootstrapping. */
export interface SyncReportOptions {
  readonly log: Log
  /** Milliseconds after which too few connected bootstrappers are reported. */
  readonly beaconWarningMs: number
  /** Returns Unix milliseconds of a monotonic clock. */
  now(): number
  /** Called at every tick instead of the log lines. */
  readonly watch?: ((progress: BootstrapProgress | undefined) => void) | undefined
}

const INTERVAL_MS = 5_000

/**
 * Reports the progress of bootstrapping: to `watch` at every tick, or to the log every few seconds with blocks per second and the remaining
 * time.
 */
export class SyncReport {
  readonly #options: SyncReportOptions
  readonly #startedAt: number
  #hasWarned = false
  #last: { readonly at: number; readonly height: bigint } | undefined

  constructor(options: SyncReportOptions) {
    this.#options = options
    this.#startedAt = options.now()
  }

  tick(progress: BootstrapProgress | undefined, peers: number): void {
    const { log, watch } = this.#options
    const now = this.#options.now()
    watch?.(progress)
    if (progress?.phase === "connecting") this.#warnOfMissingBeacons(now)
    if (!progress || watch) return
    this.#last ??= { at: now, height: progress.lastAccepted }
    if (now - this.#last.at < INTERVAL_MS) return
    const blocksPerSecond = (Number(progress.lastAccepted - this.#last.height) * 1000) / (now - this.#last.at)
    this.#last = { at: now, height: progress.lastAccepted }
    const { phase, target, lastAccepted, waiting } = progress
    const left = Number(target - lastAccepted)
    log.info("bootstrapping", {
      phase,
      peers,
      height: Number(lastAccepted),
      target: Number(target),
      fetched: Number(waiting),
      blocksPerSecond: Math.round(blocksPerSecond),
      secondsLeft: blocksPerSecond > 0 ? Math.round(left / blocksPerSecond) : null,
    })
  }

  #warnOfMissingBeacons(now: number): void {
    const { log, beaconWarningMs } = this.#options
    if (this.#hasWarned || now - this.#startedAt < beaconWarningMs) return
    this.#hasWarned = true
    log.warn("too few bootstrappers are connected", { seconds: Math.round(beaconWarningMs / 1000) })
  }
}
