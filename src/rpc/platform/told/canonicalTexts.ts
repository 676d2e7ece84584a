import { latin1 } from "../../../lib/bytes.js"
import { MAX64 } from "../../../lib/math64.js"
import { digitsOf, momentOf, type SetEra } from "../../../readmodel/sets/setEra.js"
import { Raw } from "../../method.js"

/**
 * A validator set at a height of an era as Warp messages are verified with it, as JSON: one signer for each key, in the order of
 * keys, and the weight of all. Nothing where there is no member, or where they weigh more than can be counted and can sign nothing.
 */
export function printedCanonicalSet(era: SetEra, height: bigint): Raw | undefined {
  const { spells } = momentOf(era, height)
  const words = new Words(era, spells)
  let total = 0n
  for (let entry = 0; entry < spells.length; entry++) if (words.isMember(entry)) total += BigInt(words.weight(entry))
  if (total === 0n || total > MAX64) return undefined
  const text = `{"validators":[${signersOf(era, words).join()}],"totalWeight":"${total}"}`
  return new Raw(Buffer.from(text, "latin1"))
}

function signersOf({ byKey }: SetEra, words: Words): readonly string[] {
  const signers: string[] = []
  const members = byKey.filter((entry) => words.isMember(entry))
  for (let i = 0; i < members.length; ) {
    const key = words.key(members[i] as number)
    let weight = words.weight(members[i] as number)
    let names = words.name(members[i] as number)
    // Those that share a key sign as one.
    for (i++; i < members.length && words.key(members[i] as number) === key; i++) {
      weight = `${BigInt(weight) + BigInt(words.weight(members[i] as number))}`
      names += `,${words.name(members[i] as number)}`
    }
    signers.push(`{"publicKey":${key},"weight":"${weight}","nodeIDs":[${names}]}`)
  }
  return signers
}

/** What an era says of its entries at a height; names and keys in quotation marks. */
class Words {
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

  key(entry: number): string {
    // Both lines begin with the name.
    const colon = this.#colonOf(entry) - (this.#era.lineStarts[entry] as number) + (this.#era.keyStarts[entry] as number)
    return this.#keyLines.slice(colon + 1, this.#era.keyStarts[entry + 1])
  }

  #colonOf(entry: number): number {
    return (this.#era.lineStarts[entry + 1] as number) - digitsOf(this.#era, this.#era.models[entry] as number) - 1
  }
}
