import type { Address } from "../types/address.js"
import { type Allocation, lockedIn } from "./config.js"

/** A part of an owner's unlock schedule that is a validator's stake. */
export interface StakePart {
  readonly address: Address
  /** The amount in nAVAX; zero if a bucket was exactly full before the next amount. */
  readonly amount: bigint
  /** The lock time in Unix seconds. */
  readonly locktime: bigint
}

/**
 * Distributes the staked funds in their order to one bucket per staker: all but the last get the whole share, the last gets the rest. An
 * amount across a boundary is split. There are fewer buckets only if there are no funds.
 */
export function splitStake(
  allocations: readonly Pick<Allocation, "avaxAddr" | "unlockSchedule">[],
  stakers: number,
): readonly (readonly StakePart[])[] {
  const share = lockedIn(allocations) / BigInt(stakers)
  const full: StakePart[][] = []
  let bucket: StakePart[] = []
  let poured = 0n
  for (const { avaxAddr: address, unlockSchedule } of allocations) {
    for (const { amount, locktime } of unlockSchedule) {
      let left = amount
      // The comparison is strict: a bucket that is exactly full stays open, and the next amount closes it with a part of zero.
      while (poured + left > share && full.length < stakers - 1) {
        const taken = share - poured
        bucket.push({ address, amount: taken, locktime })
        left -= taken
        full.push(bucket)
        bucket = []
        poured = 0n
      }
      if (left === 0n) continue
      bucket.push({ address, amount: left, locktime })
      poured += left
    }
  }
  return [...full, bucket]
}
