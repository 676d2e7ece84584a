import { clamp64 } from "../lib/math64.js"
import type { ID } from "../types/id.js"
import { assetIDIn, coinIn, type UtxoText } from "../types/utxoText.js"

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
export function balancesOf(utxos: Iterable<UtxoText>, now: bigint): Balances {
  const seconds = Number(now)
  const byAsset = new Map<ID, Sums>()
  let sums: Sums | undefined
  let changesAt = Number.POSITIVE_INFINITY
  for (const text of utxos) {
    // Hardly ever is one of another asset than the one before.
    const assetID = assetIDIn(text)
    if (assetID !== sums?.assetID) sums = sumsOf(byAsset, assetID)
    const { high, low, locktime, stakeableLocktime } = coinIn(text)
    if (locktime > seconds) sums.lockedNotStakeable.add(high, low)
    else if (stakeableLocktime > seconds) sums.lockedStakeable.add(high, low)
    else sums.unlocked.add(high, low)
    if (locktime > seconds && locktime < changesAt) changesAt = locktime
    if (stakeableLocktime > seconds && stakeableLocktime < changesAt) changesAt = stakeableLocktime
  }
  return { ...amountsOf([...byAsset.values()]), changesAt: Number.isFinite(changesAt) ? BigInt(changesAt) : undefined }
}

/** A sum of 64-bit numbers in two halves: numbers are added ten times as fast as bigints. */
class Sum {
  #high = 0
  #low = 0
  /** Whether anything was added, be it zero. */
  isUsed = false

  add(high: number, low: number): void {
    this.isUsed = true
    this.#low += low
    // The carry goes at once: both halves stay exact for as many amounts as there can be.
    if (this.#low > 0xffff_ffff) {
      this.#low -= 0x1_0000_0000
      this.#high++
    }
    this.#high += high
  }

  get value(): bigint {
    return (BigInt(this.#high) << 32n) + BigInt(this.#low)
  }
}

/** What there is of one asset. */
class Sums {
  readonly assetID: ID
  readonly unlocked = new Sum()
  readonly lockedStakeable = new Sum()
  readonly lockedNotStakeable = new Sum()

  constructor(assetID: ID) {
    this.assetID = assetID
  }
}

function sumsOf(byAsset: Map<ID, Sums>, assetID: ID): Sums {
  const found = byAsset.get(assetID) ?? new Sums(assetID)
  byAsset.set(assetID, found)
  return found
}

/** The sums by asset, where there is something. A sum that stops at the largest number is the same as one of which every step does. */
function amountsOf(all: readonly Sums[]): Omit<Balances, "changesAt"> {
  const amounts = (sumOf: (sums: Sums) => Sum): Amounts =>
    new Map(all.filter((each) => sumOf(each).isUsed).map((each) => [each.assetID, clamp64(sumOf(each).value)]))
  const totalOf = ({ unlocked, lockedStakeable, lockedNotStakeable }: Sums) =>
    clamp64(unlocked.value + lockedStakeable.value + lockedNotStakeable.value)
  return {
    unlocked: amounts((each) => each.unlocked),
    lockedStakeable: amounts((each) => each.lockedStakeable),
    lockedNotStakeable: amounts((each) => each.lockedNotStakeable),
    total: new Map(all.map((each) => [each.assetID, totalOf(each)])),
  }
}
