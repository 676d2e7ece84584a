import type { Invalid } from "../lib/invalid.js"
import { LruCache } from "../lib/lruCache.js"
import { consumedUtxoIDs } from "../txs/amounts.js"
import type { Tx } from "../txs/tx.js"
import type { ID } from "../types/id.js"
import { chainError } from "./errors.js"

/** Default limit of the gas that all transactions of the mempool use together, as in AvalancheGo. */
const POOL_GAS = 1_000_000n

/** Number of dropped transactions that are remembered, with the reason. */
const REMEMBERED_DROPS = 64

/** The numbers that decide a transaction's position: the gas it uses, and the AVAX it burns (nAVAX). */
export interface TxMetering {
  readonly gas: bigint
  readonly burned: bigint
}

/** The reason why a transaction was dropped. */
export interface Drop {
  readonly error: Invalid
  /** The reason in AvalancheGo's words, with the steps before it. */
  readonly reason: string
}

interface WaitingTx {
  readonly tx: Tx
  readonly gas: bigint
  /** nAVAX burned for a unit of gas, as a 64-bit float as in AvalancheGo. */
  readonly price: number
  readonly takes: readonly ID[]
}

/**
 * The transactions that wait for a block, ordered by price, up to a limit of gas (AvalancheGo v1.14.2). The mempool checks only room and
 * conflicts; transactions were verified before.
 */
export class Mempool {
  readonly #capacity: bigint
  #gas = 0n
  #version = 0
  readonly #byID = new Map<ID, WaitingTx>()
  /** Transactions by ascending price. */
  readonly #byPrice: WaitingTx[] = []
  /** UTXO → transaction that consumes it. */
  readonly #takers = new Map<ID, ID>()
  readonly #drops = new LruCache<Drop>(REMEMBERED_DROPS)

  constructor(gasCapacity: bigint = POOL_GAS) {
    this.#capacity = gasCapacity
  }

  get size(): number {
    return this.#byID.size
  }

  /** A number that grows whenever a transaction is added or removed. */
  get version(): number {
    return this.#version
  }

  /** The gas for which there is room without dropping a transaction. */
  get gasAvailable(): bigint {
    return this.#capacity - this.#gas
  }

  has(id: ID): boolean {
    return this.#byID.has(id)
  }

  get(id: ID): Tx | undefined {
    return this.#byID.get(id)?.tx
  }

  /** Iterates over all transactions by descending price. The mempool may change meanwhile. */
  *[Symbol.iterator](): Iterator<Tx> {
    for (const { tx } of this.#byPrice.toReversed()) if (this.#byID.has(tx.id)) yield tx
  }

  /**
   * Adds a transaction, and drops cheaper ones if it needs their room. Throws `chain.duplicate_tx`, `chain.conflicting_tx`, `chain.no_gas`
   * and `chain.pool_full`.
   */
  add(tx: Tx, { gas, burned }: TxMetering): void {
    if (this.#byID.has(tx.id)) throw chainError("chain.duplicate_tx")
    const takes = consumedUtxoIDs(tx.unsignedTx)
    if (takes.some((each) => this.#takers.has(each))) throw chainError("chain.conflicting_tx")
    if (gas === 0n) throw chainError("chain.no_gas")
    const waiting = { tx, gas, price: Number(burned) / Number(gas), takes }
    this.#makeRoomFor(waiting)
    this.#byID.set(tx.id, waiting)
    this.#byPrice.splice(this.#placeOf(waiting), 0, waiting)
    for (const each of takes) this.#takers.set(each, tx.id)
    this.#gas += gas
    this.#version++
    this.#drops.delete(tx.id)
  }

  remove(id: ID): void {
    const waiting = this.#byID.get(id)
    if (!waiting) return
    this.#byID.delete(id)
    this.#byPrice.splice(this.#placeOf(waiting), 1)
    for (const each of waiting.takes) this.#takers.delete(each)
    this.#gas -= waiting.gas
    this.#version++
  }

  /** Removes and returns every transaction that consumes one of these UTXOs. */
  removeConflicts(utxoIDs: Iterable<ID>): Tx[] {
    const removed: Tx[] = []
    for (const each of utxoIDs) {
      const taker = this.#byID.get(this.#takers.get(each) as ID)
      if (!taker) continue
      removed.push(taker.tx)
      this.remove(taker.tx.id)
    }
    return removed
  }

  /** Remembers why a transaction was dropped. It ignores a waiting transaction. */
  markDropped(id: ID, drop: Drop): void {
    if (!this.#byID.has(id)) this.#drops.set(id, drop)
  }

  /** Returns why a transaction was dropped, if that is remembered. A lookup keeps it remembered. */
  dropOf(id: ID): Drop | undefined {
    return this.#drops.get(id)
  }

  /** Drops as many of the cheapest transactions as necessary, if they are strictly cheaper and that is enough. */
  #makeRoomFor({ gas, price }: WaitingTx): void {
    const missing = gas - this.gasAvailable
    const evicted: ID[] = []
    let freed = 0n
    for (const each of this.#byPrice) {
      if (freed >= missing || each.price >= price) break
      evicted.push(each.tx.id)
      freed += each.gas
    }
    if (freed < missing) throw chainError("chain.pool_full", { gas, available: this.gasAvailable })
    for (const id of evicted) this.remove(id)
  }

  /** Returns the position of a transaction, or the position at which it would be inserted. */
  #placeOf(waiting: WaitingTx): number {
    let low = 0
    let high = this.#byPrice.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.#byPrice[middle] as WaitingTx, waiting)) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Orders by ascending price, and transactions of the same price by ID. */
function isBefore(a: WaitingTx, b: WaitingTx): boolean {
  return a.price !== b.price ? a.price < b.price : a.tx.id < b.tx.id
}
