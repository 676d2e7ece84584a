import { clamp64 } from "../lib/math64.js"
import type { ID } from "../types/id.js"
import type { Output } from "../types/output.js"
import type { FoundUtxo } from "./utxos.js"

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
export function balancesOf(utxos: readonly FoundUtxo[], now: bigint): Balances {
  const sums = {
    unlocked: new Map<ID, bigint>(),
    lockedStakeable: new Map<ID, bigint>(),
    lockedNotStakeable: new Map<ID, bigint>(),
  }
  const total = new Map<ID, bigint>()
  let changesAt: bigint | undefined
  for (const { utxo } of utxos) {
    const { amount, locktimes } = partsOf(utxo.output)
    add(sums[classOf(locktimes, now)], utxo.assetID, amount)
    add(total, utxo.assetID, amount)
    for (const time of locktimes) if (time > now && (changesAt === undefined || time < changesAt)) changesAt = time
  }
  return { ...sums, total, changesAt }
}

/** The amount, the lock of the owner, and the stakeable lock around it (0: none). */
function partsOf(output: Output): { amount: bigint; locktimes: readonly [own: bigint, stakeable: bigint] } {
  if (output.kind === "TransferOutput") return { amount: output.amount, locktimes: [output.locktime, 0n] }
  return { amount: output.output.amount, locktimes: [output.output.locktime, output.locktime] }
}

function classOf([own, stakeable]: readonly [bigint, bigint], now: bigint) {
  if (own > now) return "lockedNotStakeable"
  return stakeable <= now ? "unlocked" : "lockedStakeable"
}

function add(amounts: Map<ID, bigint>, assetID: ID, amount: bigint): void {
  amounts.set(assetID, clamp64((amounts.get(assetID) ?? 0n) + amount))
}
