import { clamp64 } from "../lib/math64.js"
import type { ID } from "../types/id.js"
import { unlocked } from "../types/output.js"
import type { Utxo } from "../types/utxo.js"

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

/** Sums UTXOs by asset and by what may be done with them now (Unix seconds of the local clock). */
export function balancesOf(utxos: Iterable<Utxo>, now: bigint): Balances {
  const sums = {
    unlocked: new Map<ID, bigint>(),
    lockedStakeable: new Map<ID, bigint>(),
    lockedNotStakeable: new Map<ID, bigint>(),
    total: new Map<ID, bigint>(),
  }
  let changesAt: bigint | undefined
  for (const { assetID, output } of utxos) {
    const { amount, locktime } = unlocked(output)
    const stakeableLocktime = output.kind === "LockOut" ? output.locktime : 0n
    const lock = locktime > now ? "lockedNotStakeable" : stakeableLocktime > now ? "lockedStakeable" : "unlocked"
    add(sums[lock], assetID, amount)
    add(sums.total, assetID, amount)
    for (const opens of [locktime, stakeableLocktime]) {
      if (opens > now && (changesAt === undefined || opens < changesAt)) changesAt = opens
    }
  }
  return { ...sums, changesAt }
}

function add(amounts: Map<ID, bigint>, assetID: ID, amount: bigint): void {
  amounts.set(assetID, clamp64((amounts.get(assetID) ?? 0n) + amount))
}
