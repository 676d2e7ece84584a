import { randomFillSync } from "node:crypto"

/** Number of values that are generated at a time, because a call of the operating system's generator takes longer than a draw. */
const AT_ONCE = 1024

/** Random numbers of 64 bits, each used once. */
export class RandomBits {
  /** Bytes of memory that it takes. */
  static readonly SIZE = AT_ONCE * BigUint64Array.BYTES_PER_ELEMENT

  #values: BigUint64Array | undefined
  #used = 0

  next(): bigint {
    if (!this.#values || this.#used === AT_ONCE) this.#values = this.#refill()
    return this.#values[this.#used++] as bigint
  }

  #refill(): BigUint64Array {
    this.#used = 0
    return randomFillSync(this.#values ?? new BigUint64Array(AT_ONCE))
  }
}
