import { sha256Latin1 } from "../crypto/hash.js"
import { fillFromLatin1 } from "../lib/bytes.js"
import { wasmEngine } from "../lib/wasm.js"
import { MAX_SHORT_DIGITS, putBase58 } from "./base58.js"
import { CHECKSUM_SIZE, putChecksum } from "./cb58.js"
import { ID_WORDS, type IDProgram, makeIDProgram, TEXT_ROOM } from "./idProgram.js"

/** The most IDs whose texts are made at once. */
export const IDS_AT_ONCE = 4

/** Makes the cb58 texts of IDs for long lists, four at a time. */
export interface IDTexts {
  /**
   * Makes the texts of four IDs, or of those that are left, in place of the texts made before. The 32 bytes of each ID begin at the same
   * position of a text of one character for each byte (Latin-1), and `first` is the index of the first such text.
   */
  make(holders: readonly string[], first: number, from: number): void
  /** Writes a text at a place, where `MAX_SHORT_DIGITS` bytes may be overwritten. Returns the place behind the text. */
  put(index: number, out: DataView, at: number): number
}

/** Number of lists that are made without the program: making it takes as long as making some 10,000 texts without it. */
const FIRST_LISTS = 20

/** Chooses how the texts of a list are made. */
export class IDTextMakers {
  #lists = 0
  #texts: IDTexts = new PlainIDTexts()

  /**
   * Returns the maker for one more list. After the first lists it needs a fifth of the time of `toCb58`, if the machine can compute with
   * vectors.
   */
  next(): IDTexts {
    this.#lists++
    if (this.#lists === FIRST_LISTS) {
      const engine = wasmEngine()
      const program = engine && makeIDProgram(engine)
      if (program) this.#texts = new VectorIDTexts(program)
    }
    return this.#texts
  }
}

/** The code of the digit for zero. */
const ONE = 0x31

/** Makes four texts at once with the vectors of WebAssembly. */
export class VectorIDTexts implements IDTexts {
  readonly #program: IDProgram

  constructor(program: IDProgram) {
    this.#program = program
  }

  make(holders: readonly string[], first: number, from: number): void {
    const { ids } = this.#program
    for (let i = 0; i < IDS_AT_ONCE && first + i < holders.length; i++) {
      const holder = holders[first + i] as string
      for (let word = 0, at = from; word < ID_WORDS; word++, at += 4) ids[4 * word + i] = i32At(holder, at)
    }
    this.#program.run()
  }

  put(index: number, out: DataView, at: number): number {
    const { texts } = this.#program
    const start = index * TEXT_ROOM
    const end = start + MAX_SHORT_DIGITS
    let from = start
    while (from < end && texts.getUint8(from) === ONE) from++
    from -= this.#zerosIn(index)
    for (let i = 0; i < MAX_SHORT_DIGITS; i += 4) out.setInt32(at + i, texts.getInt32(from + i, true), true)
    return at + end - from
  }

  /** Number of zero bytes that an ID begins with: each is a digit, which the number itself does not have. */
  #zerosIn(index: number): number {
    const { ids } = this.#program
    let zeros = 0
    while (zeros < 4 * ID_WORDS && ((ids[4 * (zeros >> 2) + index] as number) >>> (24 - 8 * (zeros & 3))) % 256 === 0) zeros++
    return zeros
  }
}

const i32At = (text: string, at: number): number =>
  (text.charCodeAt(at) << 24) | (text.charCodeAt(at + 1) << 16) | (text.charCodeAt(at + 2) << 8) | text.charCodeAt(at + 3)

/** Makes each text by itself, for machines that cannot compute with vectors. */
export class PlainIDTexts implements IDTexts {
  readonly #checked = Array.from({ length: IDS_AT_ONCE }, () => new Uint8Array(4 * ID_WORDS + CHECKSUM_SIZE))

  make(holders: readonly string[], first: number, from: number): void {
    for (const [i, holder] of holders.slice(first, first + IDS_AT_ONCE).entries()) {
      const checked = this.#checked[i] as Uint8Array
      fillFromLatin1(checked, 0, holder, from, 4 * ID_WORDS)
      putChecksum(sha256Latin1(checked.subarray(0, 4 * ID_WORDS)), checked)
    }
  }

  put(index: number, out: DataView, at: number): number {
    const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength)
    return putBase58(this.#checked[index] as Uint8Array, bytes, at)
  }
}

/** The makers of this process. */
export const idTextMakers = new IDTextMakers()
