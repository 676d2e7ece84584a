import { randomFillSync } from "node:crypto"

/** Number of values that are generated at a time, because a call of the operating system's generator takes longer than a draw. */
const AT_ONCE = 2048

/** Random numbers of 32 bits, each used once. */
export class RandomBits {
  /** Bytes of memory that it takes. */
  static readonly SIZE = AT_ONCE * Uint32Array.BYTES_PER_ELEMENT

  #values: Uint32Array | undefined
  #used = 0

  next(): number {
    if (!this.#values || this.#used === AT_ONCE) this.#values = this.#refill()
    return this.#values[this.#used++] as number
  }

  #refill(): Uint32Array {
    this.#used = 0
    return randomFillSync(this.#values ?? new Uint32Array(AT_ONCE))
  }
}
