import { Averager } from "../lib/averager.js"

/** Settings of the adaptive timeout of requests. Times are milliseconds; each names AvalancheGo's flag. */
export interface TimeoutSettings {
  /** `--network-initial-timeout` */
  readonly initialMs: number
  /** `--network-minimum-timeout` */
  readonly minimumMs: number
  /** `--network-maximum-timeout` */
  readonly maximumMs: number
  /** `--network-timeout-halflife` */
  readonly halfLifeMs: number
  /** `--network-timeout-coefficient`: the timeout as a multiple of the average. */
  readonly coefficient: number
}

export const defaultTimeouts: TimeoutSettings = {
  initialMs: 5_000,
  minimumMs: 2_000,
  maximumMs: 10_000,
  halfLifeMs: 5 * 60_000,
  coefficient: 2,
}

/** The timeout of requests: a multiple of the average time of answers, within limits. */
export class AdaptiveTimeout {
  readonly #settings: TimeoutSettings
  #averager: Averager | undefined
  #milliseconds: number

  constructor(settings: TimeoutSettings = defaultTimeouts) {
    this.#settings = settings
    this.#milliseconds = settings.initialMs
  }

  get milliseconds(): number {
    return this.#milliseconds
  }

  /** Records the time of one answer. A missing answer counts as the timeout. */
  observe(latencyMs: number, now: number): void {
    const { initialMs, minimumMs, maximumMs, halfLifeMs, coefficient } = this.#settings
    this.#averager ??= new Averager(initialMs, halfLifeMs, now)
    this.#averager.observe(latencyMs, now)
    this.#milliseconds = Math.min(maximumMs, Math.max(minimumMs, coefficient * this.#averager.average))
  }
}
