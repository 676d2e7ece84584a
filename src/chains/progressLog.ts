import type { Log, LogData } from "../core/lib/log.js"

const INTERVAL_MS = 5_000

/** The progress of a chain that catches up: the height of its last block, and the height that it catches up to. */
export interface CatchUp {
  readonly height: bigint
  readonly target: bigint
}

/** Logs the progress of a chain that catches up every few seconds, with blocks per second and the remaining time. */
export class ProgressLog {
  readonly #log: Pick<Log, "info">
  readonly #now: () => number
  #last: { readonly at: number; readonly height: bigint } | undefined

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(log: Pick<Log, "info">, now: () => number) {
    this.#log = log
    this.#now = now
  }

  /** Logs an event with the progress if that is due. */
  tick(event: string, { height, target }: CatchUp, facts: LogData): void {
    const now = this.#now()
    this.#last ??= { at: now, height }
    const { at, height: before } = this.#last
    if (now - at < INTERVAL_MS) return
    this.#last = { at: now, height }
    const blocksPerSecond = (Number(height - before) * 1000) / (now - at)
    const secondsLeft = blocksPerSecond > 0 ? Math.round(Number(target - height) / blocksPerSecond) : null
    this.#log.info(event, { ...facts, blocksPerSecond: Math.round(blocksPerSecond), secondsLeft })
  }

  /** Measures the speed anew, because the chain has caught up. */
  restart(): void {
    this.#last = undefined
  }
}
