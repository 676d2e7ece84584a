import { Averager } from "../lib/averager.js"

/** The limits of the timeout of requests, with AvalancheGo's defaults. Times are milliseconds; AvalancheGo's flag is named at each. */
export const defaultTimeouts = {
  /** `--network-initial-timeout` */
  initialMs: 5_000,
  /** `--network-minimum-timeout` */
  minimumMs: 2_000,
  /** `--network-maximum-timeout` */
  maximumMs: 10_000,
  /** `--network-timeout-halflife` */
  halfLifeMs: 5 * 60_000,
  /** `--network-timeout-coefficient`: the timeout as a multiple of the average. */
  coefficient: 2,
}

export type TimeoutSettings = Readonly<typeof defaultTimeouts>

/** The timeout of requests: a multiple of the average time of answers, within limits. */
export class AdaptiveTimeout {
  readonly #settings: TimeoutSettings
  #averager: Averager | undefined
  milliseconds: number

  constructor(settings: TimeoutSettings = defaultTimeouts) {
    this.#settings = settings
    this.milliseconds = settings.initialMs
  }

  /** Records the time of one answer. A missing answer counts as the timeout. */
  observe(latencyMs: number, now: number): void {
    const { initialMs, minimumMs, maximumMs, halfLifeMs, coefficient } = this.#settings
    this.#averager ??= new Averager(initialMs, halfLifeMs, now)
    this.#averager.observe(latencyMs, now)
    this.milliseconds = Math.min(maximumMs, Math.max(minimumMs, coefficient * this.#averager.average))
  }
}
