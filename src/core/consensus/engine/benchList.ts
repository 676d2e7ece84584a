import { Averager } from "../../lib/averager.js"
import type { NodeID } from "../../types/id.js"
import type { Stake } from "../snowman/stake.js"

/** The conditions under which a validator that does not answer is benched, with AvalancheGo's defaults. AvalancheGo's flag is named at each. */
export const defaultBenchSettings = {
  /** `--benchlist-halflife`: half-life of the share of requests that failed, milliseconds. */
  halfLifeMs: 60_000,
  /** `--benchlist-bench-probability`: the share above which a validator is benched. */
  benchAbove: 0.5,
  /** `--benchlist-unbench-probability`: the share below which it is released. */
  releaseBelow: 0.2,
  /** `--benchlist-duration`: milliseconds after which a validator is released in any case. */
  durationMs: 5 * 60_000,
}

export type BenchSettings = Readonly<typeof defaultBenchSettings>

/** `maxShare` is the most stake that may be benched, as a share of all stake. */
type BenchLimits = BenchSettings & { readonly maxShare: number }

interface BenchPort {
  benched?(nodeID: NodeID): void
  released?(nodeID: NodeID): void
}

interface BenchRecord {
  failures: Averager
  benchedUntil: number | undefined
}

/**
 * The validators that are expected not to answer. They are still asked, but polls do not wait for them, so that a poll does not take as
 * long as the timeout. Times are Unix milliseconds.
 */
export class BenchList {
  readonly #settings: BenchLimits
  readonly #port: BenchPort
  readonly #records = new Map<NodeID, BenchRecord>()

  constructor(settings: BenchLimits, port: BenchPort) {
    this.#settings = settings
    this.#port = port
  }

  get benched(): NodeID[] {
    return [...this.#records].flatMap(([nodeID, { benchedUntil }]) => (benchedUntil === undefined ? [] : [nodeID]))
  }

  isBenched(nodeID: NodeID): boolean {
    return this.#records.get(nodeID)?.benchedUntil !== undefined
  }

  /** Records that a validator answered a request, or let it time out. Other nodes are not benched. */
  observe(nodeID: NodeID, hasFailed: boolean, stake: Stake, now: number): void {
    const known = this.#records.get(nodeID)
    if (stake.weightOf(nodeID) === 0n) {
      if (known?.benchedUntil === undefined) this.#records.delete(nodeID)
      return
    }
    const record = known ?? { failures: new Averager(0, this.#settings.halfLifeMs, now), benchedUntil: undefined }
    this.#records.set(nodeID, record)
    record.failures.observe(hasFailed ? 1 : 0, now)
    const { average } = record.failures
    if (record.benchedUntil !== undefined) {
      if (average < this.#settings.releaseBelow) this.#release(nodeID, record)
    } else if (average > this.#settings.benchAbove && this.#makeRoom(nodeID, average, stake)) {
      record.benchedUntil = now + this.#settings.durationMs
      this.#port.benched?.(nodeID)
    }
  }

  /** Releases the validators that were benched for long enough, and forgets their earlier failures. */
  tick(now: number): void {
    for (const [nodeID, record] of this.#records) {
      if (record.benchedUntil === undefined || now < record.benchedUntil) continue
      record.failures = new Averager(0, this.#settings.halfLifeMs, now)
      this.#release(nodeID, record)
    }
  }

  #release(nodeID: NodeID, record: BenchRecord): void {
    record.benchedUntil = undefined
    this.#port.released?.(nodeID)
  }

  /** Returns whether a validator fits under the limit of benched stake, after those that fail less often are released. */
  #makeRoom(nodeID: NodeID, average: number, stake: Stake): boolean {
    const limit = BigInt(Math.floor(Number(stake.total) * this.#settings.maxShare))
    let excess = stake.weightOfAll(this.benched) + stake.weightOf(nodeID) - limit
    if (excess <= 0n) return true
    const better = [...this.#records]
      .filter(([, { failures, benchedUntil }]) => benchedUntil !== undefined && failures.average < average)
      .sort(([, a], [, b]) => a.failures.average - b.failures.average)
    const released: typeof better = []
    for (const entry of better) {
      if (excess <= 0n) break
      released.push(entry)
      excess -= stake.weightOf(entry[0])
    }
    if (excess > 0n) return false
    for (const [id, record] of released) this.#release(id, record)
    return true
  }
}
