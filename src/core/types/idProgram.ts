import { lastWordsOfHashes } from "../crypto/fourHashes.js"
import {
  addFloat,
  and,
  type Expression,
  floorFloat,
  highFloats,
  load64,
  loadVector,
  lowFloats,
  multiplyFloat,
  notLessFloat,
  or,
  shiftLeft32,
  shiftRight32,
  store16From,
  subtractFloat,
  type Variable,
  type WasmEngine,
  WasmProgram,
} from "../lib/wasm.js"
import { FOUR_DIGITS, FOURS, PAIR_CODES, POWERS, TWO_DIGITS, WORDS } from "./base58.js"

/** Number of words of 32 bits in an ID. */
export const ID_WORDS = 8

/** The distance between two texts in the memory of the program, bytes. */
export const TEXT_ROOM = 64

/** The program that makes the cb58 texts of four IDs at once. */
export interface IDProgram {
  /** The IDs in words of 32 bits: the first word of each of the four, then the second words, and so on. */
  readonly ids: Int32Array
  /** Four texts of `MAX_SHORT_DIGITS` digits each, with digits for zero in front. */
  readonly texts: DataView
  run(): void
}

/** Makes the program. Returns undefined if the engine cannot run it, see `WasmProgram.compile`. */
export function makeIDProgram(engine: WasmEngine): IDProgram | undefined {
  const program = new WasmProgram()
  const ids = program.reserve(16 * ID_WORDS)
  // Texts are read four bytes at a time, so that some bytes behind the last one are read too.
  const texts = program.reserve(5 * TEXT_ROOM)
  const words: Expression[] = Array.from({ length: ID_WORDS }, (_, i) => loadVector(ids + 16 * i))
  const [checksums] = program.variables(1) as [Variable]
  program.append(checksums.set(lastWordsOfHashes(program, words)))
  const numbers = inWordsOf24Bits(program, [...words, checksums.value])
  const tables: Tables = {
    powers: program.place(POWERS),
    pairs: program.place(PAIR_CODES),
    constants: program.place(Float64Array.from(CONSTANTS)),
  }
  for (const half of [0, 1]) {
    const floats = program.variables(WORDS)
    for (const [i, each] of numbers.entries()) {
      program.append((floats[i] as Variable).set(half === 0 ? lowFloats(each) : highFloats(each)))
    }
    appendDigits(program, floats, tables, texts + 2 * half * TEXT_ROOM)
  }
  const compiled = program.compile(engine)
  if (compiled === undefined) return undefined
  const { memory, run } = compiled
  return { ids: new Int32Array(memory, ids, 4 * ID_WORDS), texts: new DataView(memory, texts, 5 * TEXT_ROOM), run }
}

/** Divides nine words of 32 bits into twelve of 24 bits, the lowest first: three of the nine, which are 96 bits, into four. */
function inWordsOf24Bits(program: WasmProgram, words: readonly Expression[]): readonly Expression[] {
  const numbers = program.variables(WORDS)
  for (let i = 0; i < words.length; i += 3) {
    const [a, b, c] = words.slice(i, i + 3) as [Expression, Expression, Expression]
    const parts = [
      shiftRight32(a, 8),
      or(shiftRight32(shiftLeft32(a, 24), 8), shiftRight32(b, 16)),
      or(shiftRight32(shiftLeft32(b, 16), 8), shiftRight32(c, 24)),
      shiftRight32(shiftLeft32(c, 8), 8),
    ]
    for (const [k, part] of parts.entries()) program.append((numbers[WORDS - 1 - (4 * i) / 3 - k] as Variable).set(part))
  }
  return numbers.map(({ value }) => value)
}

/** Places of tables in the memory. */
interface Tables {
  readonly powers: number
  readonly pairs: number
  readonly constants: number
}

/** Constants of the program, in their order in the memory. */
const [INVERSE_OF_FOUR, FOUR, ONE, HALF, INVERSE_OF_TWO, TWO, TO_INTEGER] = [0, 1, 2, 3, 4, 5, 6]
const CONSTANTS = [
  // A little too low, so that a quotient is never too high.
  (1 / FOUR_DIGITS) * (1 - 2 ** -50),
  FOUR_DIGITS,
  1,
  0.5,
  1 / TWO_DIGITS,
  TWO_DIGITS,
  // The lowest bits of the sum with this number are those of the integer.
  2 ** 52,
]

/**
 * Appends the conversion of two numbers to base58, which `putBase58` explains. Each sum is the next four digits of both numbers and a
 * carry. The texts begin at an address and at `TEXT_ROOM` behind it.
 */
function appendDigits(
  program: WasmProgram,
  words: readonly Variable[],
  { powers, pairs, constants }: Tables,
  texts: number,
): void {
  const [carry, rest, upper] = program.variables(3) as [Variable, Variable, Variable]
  const constant = (index: number) => load64(constants + 8 * index)
  for (let four = 0; four < FOURS; four++) {
    const products = words.flatMap((word, i) => {
      const power = four * WORDS + i
      return POWERS[power] === 0 ? [] : [multiplyFloat(word.value, load64(powers + 8 * power))]
    })
    const [sum, ...others] = four === 0 ? products : [carry.value, ...products]
    program.append(
      rest.set(addFloat(sum as Expression, ...others)),
      carry.set(floorFloat(multiplyFloat(rest.value, constant(INVERSE_OF_FOUR)))),
      rest.set(subtractFloat(rest.value, multiplyFloat(carry.value, constant(FOUR)))),
      // The quotient may be one too low.
      upper.set(notLessFloat(rest.value, constant(FOUR))),
      rest.set(subtractFloat(rest.value, and(upper.value, constant(FOUR)))),
      carry.set(addFloat(carry.value, and(upper.value, constant(ONE)))),
      upper.set(floorFloat(multiplyFloat(addFloat(rest.value, constant(HALF)), constant(INVERSE_OF_TWO)))),
      rest.set(subtractFloat(rest.value, multiplyFloat(upper.value, constant(TWO)))),
      upper.set(addFloat(upper.value, constant(TO_INTEGER))),
      rest.set(addFloat(rest.value, constant(TO_INTEGER))),
    )
    const at = texts + 4 * (FOURS - 1 - four)
    for (const half of [0, 1]) {
      program.append(store16From(pairs, upper.value, 2 * half, at + half * TEXT_ROOM))
      program.append(store16From(pairs, rest.value, 2 * half, at + half * TEXT_ROOM + 2))
    }
  }
}
