import type { Log } from "../../core/lib/log.js"

/** Progress of a copy: the height of its last block, and the newest height that the followed node is known to have. */
export interface CopyProgress {
  readonly height: bigint
  readonly target: bigint
}

/** Options of a report. */
export interface FollowReportOptions {
  readonly log: Log
  /** Returns milliseconds of a monotonic clock. */
  now(): number
  /** Called with the progress instead of the log lines, and with `undefined` when the copy has caught up. */
  readonly watch?: ((progress: CopyProgress | undefined) => void) | undefined
}

const INTERVAL_MS = 5_000

/** Number of blocks by which a copy must lag behind to count as catching up. */
const LEAST_LAG = 32n

/**
 * Reports the progress of a copy while it catches up: to a bar, or to the log every few seconds with blocks per second and the remaining
 * time.
 */
export class FollowReport {
  readonly #options: FollowReportOptions
  #last: { readonly at: number; readonly height: bigint } | undefined

  constructor(options: FollowReportOptions) {
    this.#options = options
  }

  /** Called when blocks were written. */
  tick(progress: CopyProgress): void {
    const { height, target } = progress
    if (this.#last === undefined && target - height < LEAST_LAG) return
    if (height >= target) this.#caughtUp(height)
    else this.#report(progress)
  }

  #caughtUp(height: bigint): void {
    this.#last = undefined
    this.#options.watch?.(undefined)
    this.#options.log.info("the copy has caught up", { height: Number(height) })
  }

  #report(progress: CopyProgress): void {
    const { log, watch } = this.#options
    const now = this.#options.now()
    const { height, target } = progress
    const last = this.#last ?? { at: now, height }
    this.#last = last
    watch?.(progress)
    if (watch || now - last.at < INTERVAL_MS) return
    this.#last = { at: now, height }
    const blocksPerSecond = (Number(height - last.height) * 1000) / (now - last.at)
    const lag = Number(target - height)
    log.info("copying", {
      height: Number(height),
      target: Number(target),
      lag,
      blocksPerSecond: Math.round(blocksPerSecond),
      secondsLeft: blocksPerSecond > 0 ? Math.round(lag / blocksPerSecond) : null,
    })
  }
}
