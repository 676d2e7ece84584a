import { clamp64 } from "../lib/math64.js"
import type { ID } from "../types/id.js"
import { innerOutput } from "../types/output.js"
import type { Utxo } from "../types/utxo.js"

/** Amounts by asset, at most 2^64 − 1 each. */
export type Amounts = ReadonlyMap<ID, bigint>

/** The sums of one asset; `undefined` until something was added. */
class AssetSums {
  unlocked: bigint | undefined
  lockedStakeable: bigint | undefined
  lockedNotStakeable: bigint | undefined
}

/** Sums amounts by asset and by their locks at a time (Unix seconds of the local clock). */
export class BalanceSum {
  /** The time at which the next lock opens and the balances change, Unix seconds; `undefined` if no lock is left. */
  changesAt: bigint | undefined
  readonly #now: bigint
  readonly #byAsset = new Map<ID, AssetSums>()

  constructor(now: bigint) {
    this.#now = now
  }

  get unlocked(): Amounts {
    return this.#amounts(({ unlocked }) => unlocked)
  }

  /** Amounts that can only be staked until their locks open. */
  get lockedStakeable(): Amounts {
    return this.#amounts(({ lockedStakeable }) => lockedStakeable)
  }

  get lockedNotStakeable(): Amounts {
    return this.#amounts(({ lockedNotStakeable }) => lockedNotStakeable)
  }

  /** The sum of the three. */
  get total(): Amounts {
    return this.#amounts(
      ({ unlocked = 0n, lockedStakeable = 0n, lockedNotStakeable = 0n }) => unlocked + lockedStakeable + lockedNotStakeable,
    )
  }

  add({ assetID, output }: Pick<Utxo, "assetID" | "output">): void {
    const { amount, locktime } = innerOutput(output)
    const stakeableLocktime = output.kind === "LockOut" ? output.locktime : 0n
    const sums = this.#byAsset.get(assetID) ?? new AssetSums()
    this.#byAsset.set(assetID, sums)
    const lock = this.#lockOf(locktime, stakeableLocktime)
    sums[lock] = (sums[lock] ?? 0n) + amount
    if (locktime > 0n) this.#note(locktime)
    if (stakeableLocktime > 0n) this.#note(stakeableLocktime)
  }

  #lockOf(locktime: bigint, stakeableLocktime: bigint): keyof AssetSums {
    if (locktime > this.#now) return "lockedNotStakeable"
    return stakeableLocktime > this.#now ? "lockedStakeable" : "unlocked"
  }

  /** Returns one sum of each asset that has it. It is limited only here, because limiting each step gives the same number. */
  #amounts(sumOf: (sums: AssetSums) => bigint | undefined): Amounts {
    const amounts = new Map<ID, bigint>()
    for (const [assetID, sums] of this.#byAsset) {
      const sum = sumOf(sums)
      if (sum !== undefined) amounts.set(assetID, clamp64(sum))
    }
    return amounts
  }

  #note(opens: bigint): void {
    if (opens > this.#now && (this.changesAt === undefined || opens < this.changesAt)) this.changesAt = opens
  }
}

/** Adds an amount of an asset, up to 2^64 − 1. */
export function addAmount(amounts: Map<ID, bigint>, assetID: ID, amount: bigint): void {
  amounts.set(assetID, clamp64((amounts.get(assetID) ?? 0n) + amount))
}
