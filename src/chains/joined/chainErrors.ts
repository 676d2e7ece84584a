import { StoreFailures } from "../storeFailures.js"
import type { JoinedChainOptions } from "./joinOptions.js"

/** Milliseconds for which a health check reports a fault of the chain. */
const FAULT_REPORT_MS = 60_000

/** The errors of a joined chain: failed writes, which are tried again, and faults in Serac, which are reported. */
export class ChainErrors extends StoreFailures {
  readonly #options: JoinedChainOptions
  readonly #steady: () => number
  #fault: { readonly error: unknown; readonly at: number } | undefined

  /** `steady` returns milliseconds of a monotonic clock. */
  constructor(options: JoinedChainOptions, steady: () => number) {
    super(options.log, steady)
    this.#options = options
    this.#steady = steady
  }

  /** A fault of the last minute. */
  get recentFault(): unknown {
    return this.#fault && this.#steady() - this.#fault.at < FAULT_REPORT_MS ? this.#fault.error : undefined
  }

  /** Records a failed write, or reports a fault. Returns whether the error is a fault. */
  isFault(error: unknown): boolean {
    if (this.hasRecorded(error)) return false
    this.#fault = { error, at: this.#steady() }
    this.#options.reportFault(error, "chain")
    return true
  }
}
