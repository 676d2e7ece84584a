import { latin1 } from "../../../core/lib/bytes.js"
import { digitsOf, type SetEra } from "../../../core/readmodel/sets/setEra.js"

/** What an era says of each of its entries in one of its spells; names and keys in quotation marks. */
export class EraWords {
  readonly #era: SetEra
  readonly #spells: Uint32Array
  readonly #digits: string
  readonly #lines: string
  readonly #keyLines: string

  constructor(era: SetEra, spells: Uint32Array) {
    this.#era = era
    this.#spells = spells
    const { digits, lines, keyLines } = era
    this.#digits = latin1(digits)
    this.#lines = latin1(lines)
    this.#keyLines = latin1(keyLines)
  }

  isMember(entry: number): boolean {
    return digitsOf(this.#era, this.#spells[entry] as number) > 0
  }

  weight(entry: number): string {
    const spell = this.#spells[entry] as number
    return this.#digits.slice(this.#era.digitStarts[spell], this.#era.digitStarts[spell + 1])
  }

  name(entry: number): string {
    return this.#lines.slice((this.#era.lineStarts[entry] as number) + 1, this.#colonOf(entry))
  }

  /** `undefined` where it has none. */
  key(entry: number): string | undefined {
    const [start, end] = [this.#era.keyStarts[entry] as number, this.#era.keyStarts[entry + 1] as number]
    if (start === end) return undefined
    // Both lines begin with the name.
    const colon = start + this.#colonOf(entry) - (this.#era.lineStarts[entry] as number)
    return this.#keyLines.slice(colon + 1, end)
  }

  #colonOf(entry: number): number {
    return (this.#era.lineStarts[entry + 1] as number) - digitsOf(this.#era, this.#era.models[entry] as number) - 1
  }
}
