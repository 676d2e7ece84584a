import type { BootstrapProgress } from "../core/consensus/bootstrap/bootstrapper.js"
import type { Log, LogData } from "../core/lib/log.js"

const INTERVAL_MS = 5_000

/** Number of blocks by which a copy must lag behind to count as catching up. */
const LEAST_LAG = 32n

/** The progress of a chain that catches up: the height of its last block, and the height that it catches up to. */
export interface CatchUp {
  readonly height: bigint
  readonly target: bigint
}

interface ReportOptions<Progress> {
  readonly log: Log
  /** Returns milliseconds of a monotonic clock. */
  now(): number
  /** Called with the progress instead of the log lines, and with `undefined` when the chain has caught up. */
  readonly watch?: ((progress: Progress | undefined) => void) | undefined
}

/** Returns a function that logs an event with the progress of a chain every few seconds, with blocks per second and the remaining time. */
export function progressLog({ log, now }: ReportOptions<never>) {
  let last: { readonly at: number; readonly height: bigint } | undefined
  return (event: string, { height, target }: CatchUp, facts: LogData): void => {
    const at = now()
    last ??= { at, height }
    const milliseconds = at - last.at
    if (milliseconds < INTERVAL_MS) return
    const blocksPerSecond = (Number(height - last.height) * 1000) / milliseconds
    const secondsLeft = blocksPerSecond > 0 ? Math.round(Number(target - height) / blocksPerSecond) : null
    log.info(event, { ...facts, blocksPerSecond: Math.round(blocksPerSecond), secondsLeft })
    last = { at, height }
  }
}

/** Returns a function that reports the progress of a copy after each write, while it catches up: to `watch`, or to the log. */
export function copyReport(options: ReportOptions<CatchUp>): (progress: CatchUp) => void {
  const { log, watch } = options
  let logProgress: ReturnType<typeof progressLog> | undefined
  return (progress) => {
    const [height, target] = [Number(progress.height), Number(progress.target)]
    if (!logProgress && progress.target - progress.height < LEAST_LAG) return
    logProgress ??= progressLog(options)
    if (height >= target) {
      logProgress = undefined
      watch?.(undefined)
      log.info("the copy has caught up", { height })
    } else if (watch) watch(progress)
    else logProgress("copying", progress, { height, target, lag: target - height })
  }
}

/** Returns a function that reports the progress of bootstrapping at every tick, and too few bootstrappers after `beaconWarningMs`. */
export function bootstrapReport(options: ReportOptions<BootstrapProgress> & { readonly beaconWarningMs: number }) {
  const { log, now, watch, beaconWarningMs } = options
  const startedAt = now()
  const logProgress = progressLog(options)
  let hasWarned = false
  return (progress: BootstrapProgress | undefined, peers: number): void => {
    watch?.(progress)
    if (progress?.phase === "connecting" && !hasWarned && now() - startedAt >= beaconWarningMs) {
      hasWarned = true
      log.warn("too few bootstrappers are connected", { seconds: Math.round(beaconWarningMs / 1000) })
    }
    if (!progress || watch) return
    const { phase, target, lastAccepted: height, waiting } = progress
    const facts = { phase, peers, height: Number(height), target: Number(target), fetched: Number(waiting) }
    logProgress("bootstrapping", { height, target }, facts)
  }
}
