import type { BootstrapProgress } from "../core/consensus/bootstrap/bootstrapper.js"
import type { Log } from "../core/lib/log.js"

const INTERVAL_MS = 5_000

/** Tells how far bootstrapping is: who watches at every tick, else the log every few seconds, with blocks a second and time left. */
export class SyncReport {
  readonly #log: Log
  readonly #now: () => number
  readonly #watch: ((progress: BootstrapProgress | undefined) => void) | undefined
  #last: { readonly at: number; readonly height: bigint } | undefined

  constructor(log: Log, now: () => number, watch?: (progress: BootstrapProgress | undefined) => void) {
    this.#log = log
    this.#now = now
    this.#watch = watch
  }

  tick(progress: BootstrapProgress | undefined, peers: number): void {
    this.#watch?.(progress)
    if (!progress || this.#watch) return
    const now = this.#now()
    this.#last ??= { at: now, height: progress.lastAccepted }
    if (now - this.#last.at < INTERVAL_MS) return
    const blocksPerSecond = (Number(progress.lastAccepted - this.#last.height) * 1000) / (now - this.#last.at)
    this.#last = { at: now, height: progress.lastAccepted }
    const { phase, target, lastAccepted, waiting } = progress
    const left = Number(target - lastAccepted)
    this.#log.info("bootstrapping", {
      phase,
      peers,
      height: Number(lastAccepted),
      target: Number(target),
      fetched: Number(waiting),
      blocksPerSecond: Math.round(blocksPerSecond),
      secondsLeft: blocksPerSecond > 0 ? Math.round(left / blocksPerSecond) : null,
    })
  }
}
