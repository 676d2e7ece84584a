import type { Log } from "../../core/lib/log.js"
import { type CatchUp, ProgressLog } from "../progressLog.js"

export interface FollowReportOptions {
  readonly log: Log
  /** Returns milliseconds of a monotonic clock. */
  now(): number
  /** Called with the progress instead of the log lines, and with `undefined` when the copy has caught up. */
  readonly watch?: ((progress: CatchUp | undefined) => void) | undefined
}

/** Number of blocks by which a copy must lag behind to count as catching up. */
const LEAST_LAG = 32n

/** Reports the progress of a copy while it catches up: to a bar, or to the log. */
export class FollowReport {
  readonly #options: FollowReportOptions
  readonly #progressLog: ProgressLog
  #isBehind = false

  constructor(options: FollowReportOptions) {
    this.#options = options
    this.#progressLog = new ProgressLog(options.log, options.now)
  }

  /** Called when blocks were written. */
  tick(progress: CatchUp): void {
    const { log, watch } = this.#options
    const [height, target] = [Number(progress.height), Number(progress.target)]
    if (!this.#isBehind && progress.target - progress.height < LEAST_LAG) return
    this.#isBehind = height < target
    if (!this.#isBehind) {
      this.#progressLog.restart()
      watch?.(undefined)
      log.info("the copy has caught up", { height })
    } else if (watch) watch(progress)
    else this.#progressLog.tick("copying", progress, { height, target, lag: target - height })
  }
}
