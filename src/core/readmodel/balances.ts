import { clamp64 } from "../lib/math64.js"
import type { ID } from "../types/id.js"
import type { LockedAmount } from "../types/utxoBytes.js"

/** Amounts by asset, at most 2^64 − 1 each. */
export type Amounts = ReadonlyMap<ID, bigint>

/** What UTXOs are worth at a moment. */
export interface Balances {
  readonly unlocked: Amounts
  /** Can only be staked as yet. */
  readonly lockedStakeable: Amounts
  readonly lockedNotStakeable: Amounts
  /** All of it. */
  readonly total: Amounts
  /** When the next lock opens and all this changes, Unix seconds; `undefined`: never. */
  readonly changesAt: bigint | undefined
}

/** Adds up amounts by asset and by what may be done with them now (Unix seconds of the local clock). */
export class BalanceSum implements Balances {
  readonly unlocked = new Map<ID, bigint>()
  readonly lockedStakeable = new Map<ID, bigint>()
  readonly lockedNotStakeable = new Map<ID, bigint>()
  readonly total = new Map<ID, bigint>()
  changesAt: bigint | undefined
  readonly #now: bigint

  constructor(now: bigint) {
    this.#now = now
  }

  add({ assetID, amount, locktime, stakeableLocktime }: LockedAmount): void {
    addAmount(this.#sumOf(locktime, stakeableLocktime), assetID, amount)
    addAmount(this.total, assetID, amount)
    this.#note(locktime)
    this.#note(stakeableLocktime)
  }

  #sumOf(locktime: bigint, stakeableLocktime: bigint): Map<ID, bigint> {
    if (locktime > this.#now) return this.lockedNotStakeable
    return stakeableLocktime > this.#now ? this.lockedStakeable : this.unlocked
  }

  #note(opens: bigint): void {
    if (opens > this.#now && (this.changesAt === undefined || opens < this.changesAt)) this.changesAt = opens
  }
}

/** Adds an amount of an asset, up to 2^64 − 1. */
export function addAmount(amounts: Map<ID, bigint>, assetID: ID, amount: bigint): void {
  amounts.set(assetID, clamp64((amounts.get(assetID) ?? 0n) + amount))
}
