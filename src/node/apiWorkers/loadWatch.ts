/** Interval in milliseconds at which the load of a process is measured. */
const LOOK_EVERY = 500

/** The share of the time from which on the event loop counts as busy. */
const BUSY = 0.6

/** The number of answers in one interval from which on calls, and not the chain, keep the event loop busy. */
const MANY_ANSWERS = 100

/** Measurements of one process. */
export interface LoadSource {
  /** Returns the share of the time since its last call in which the event loop was busy, 0 to 1. */
  utilization(): number
  /** Calls back repeatedly at this interval in milliseconds. Returns a function that ends it. */
  every(milliseconds: number, callback: () => void): () => void
}

/** Detects when calls keep a process busy, so that further processes pay off. */
export class LoadWatch {
  readonly #source: LoadSource
  readonly #onBusy: () => void
  #end = () => {}
  #answers = 0

  /** `onBusy` is called once. */
  constructor(onBusy: () => void, source: LoadSource = ownLoad()) {
    this.#source = source
    this.#onBusy = onBusy
  }

  start(): void {
    this.#source.utilization()
    this.#answers = 0
    this.#end = this.#source.every(LOOK_EVERY, () => this.#look())
  }

  /** Must be called for each answer. */
  answered(): void {
    this.#answers++
  }

  stop(): void {
    this.#end()
  }

  #look(): void {
    const isBusy = this.#source.utilization() >= BUSY && this.#answers >= MANY_ANSWERS
    this.#answers = 0
    if (!isBusy) return
    this.stop()
    this.#onBusy()
  }
}

function ownLoad(): LoadSource {
  let last = performance.eventLoopUtilization()
  return {
    utilization() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    every(milliseconds, callback) {
      const timer = setInterval(callback, milliseconds)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}
