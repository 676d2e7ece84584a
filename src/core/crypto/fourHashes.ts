import {
  add32,
  and,
  type Expression,
  load32,
  or,
  rotateRight32,
  select,
  shiftRight32,
  type Variable,
  type WasmProgram,
  xor,
} from "../lib/wasm.js"

/** The state that SHA-256 begins with. */
const FIRST_STATE = Int32Array.of(
  ...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
)

/** The constants of the rounds of SHA-256. */
const ROUNDS = Int32Array.of(
  ...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5],
  ...[0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174],
  ...[0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da],
  ...[0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967],
  ...[0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85],
  ...[0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070],
  ...[0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3],
  ...[0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa],
)

/** The words behind a message of 32 bytes in its block: a one, zeros, and the length in bits. */
const PADDING = Int32Array.of(0x8000_0000, 0, 0, 0, 0, 0, 0, 256)

/** The eight variables of the state. After each round they change places. */
type State = [Variable, Variable, Variable, Variable, Variable, Variable, Variable, Variable]

/**
 * Appends SHA-256 of four messages of 32 bytes to a program, which are eight vectors with one word of each message. Returns the last word of
 * the hashes. This word is known after 61 of the 64 rounds, since the last three only move it.
 */
export function lastWordsOfHashes(program: WasmProgram, messages: readonly Expression[]): Expression {
  const [first, rounds, padding] = [FIRST_STATE, ROUNDS, PADDING].map((each) => program.place(each)) as [number, number, number]
  const state = program.variables(8) as State
  for (const [i, variable] of state.entries()) program.append(variable.set(load32(first + 4 * i)))
  const schedule = program.variables(16)
  const word = (i: number) => schedule[i % 16] as Variable
  for (let i = 0; i < 16; i++) program.append(word(i).set(messages[i] ?? load32(padding + 4 * (i - 8))))
  const [sum] = program.variables(1) as [Variable]
  for (let i = 0; i < ROUNDS.length; i++) {
    if (i >= 16) program.append(word(i).set(nextWord(word(i - 16), word(i - 15), word(i - 7), word(i - 2))))
    appendRound(program, state, add32(load32(rounds + 4 * i), word(i).value), sum)
  }
  return add32(state[4].value, load32(first + 4 * 7))
}

/** The word of the schedule that follows from those 16, 15, 7 and 2 places before it. */
function nextWord(before16: Variable, before15: Variable, before7: Variable, before2: Variable): Expression {
  const [x, y] = [before15.value, before2.value]
  return add32(
    before16.value,
    before7.value,
    xor(rotateRight32(x, 7), rotateRight32(x, 18), shiftRight32(x, 3)),
    xor(rotateRight32(y, 17), rotateRight32(y, 19), shiftRight32(y, 10)),
  )
}

/** Appends a round, and moves the variables to their next places. */
function appendRound(program: WasmProgram, state: State, input: Expression, sum: Variable): void {
  const [a, b, c, d, e, f, g, h] = state
  const [top, mid] = [a.value, e.value]
  program.append(
    sum.set(add32(h.value, rotations(mid, 6, 11, 25), select(f.value, g.value, mid), input)),
    d.set(add32(d.value, sum.value)),
    h.set(add32(sum.value, rotations(top, 2, 13, 22), majority(top, b.value, c.value))),
  )
  state.unshift(state.pop() as Variable)
}

const rotations = (x: Expression, first: number, second: number, third: number) =>
  xor(rotateRight32(x, first), rotateRight32(x, second), rotateRight32(x, third))

const majority = (x: Expression, y: Expression, z: Expression) => or(and(x, y), and(z, or(x, y)))
