import type { BootstrapProgress } from "../core/consensus/bootstrap/bootstrapper.js"
import type { Log } from "../core/lib/log.js"

const INTERVAL_MS = 5_000

/** Says every few seconds how far bootstrapping is: blocks a second, share, time left. */
export class SyncReport {
  readonly #log: Log
  readonly #wall: () => number
  #last: { readonly at: number; readonly height: bigint } | undefined

  constructor(log: Log, wall: () => number) {
    this.#log = log
    this.#wall = wall
  }

  tick(progress: BootstrapProgress | undefined, peers: number): void {
    const now = this.#wall()
    if (!progress) return
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
