import type { Address } from "../types/address.js"
import type { Allocation } from "./config.js"

/** A part of an owner's unlock schedule that is a validator's stake. */
export interface StakePart {
  readonly address: Address
  /** nAVAX; zero where a bucket was full to the brim before the next amount came. */
  readonly amount: bigint
  /** Unix seconds. */
  readonly locktime: bigint
}

/**
 * Pours the staked funds in their order into one bucket per staker: all but the last get the whole share, the last gets the
 * rest. An amount across a boundary is cut. Gives fewer buckets only where there is nothing to pour.
 */
export function splitStake(
  allocations: readonly Pick<Allocation, "avaxAddr" | "unlockSchedule">[],
  stakers: number,
): readonly (readonly StakePart[])[] {
  const share = totalOf(allocations) / BigInt(stakers)
  const full: StakePart[][] = []
  let bucket: StakePart[] = []
  let poured = 0n
  for (const { avaxAddr: address, unlockSchedule } of allocations) {
    for (const { amount, locktime } of unlockSchedule) {
      let left = amount
      // Strictly above: a bucket filled exactly stays open, and what comes next closes it with a part of nothing.
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

function totalOf(allocations: readonly Pick<Allocation, "unlockSchedule">[]): bigint {
  let total = 0n
  for (const { unlockSchedule } of allocations) for (const { amount } of unlockSchedule) total += amount
  return total
}
