/** Instructions in the binary format of WebAssembly: bytes, and parts of bytes. */
type Code = number | readonly Code[]

/** Instructions that leave one value. */
export type Expression = readonly Code[]

/** Instructions that leave no value. */
export type Statement = readonly Code[]

/** A variable of 128 bits. */
export interface Variable {
  readonly value: Expression
  set(to: Expression): Statement
}

/** A program that was compiled: its memory, and the function that runs it. */
export interface CompiledProgram {
  readonly memory: ArrayBuffer
  run(): void
}

/** The part of the global `WebAssembly` that is used here. Its types come with those of browsers only. */
export interface WasmEngine {
  validate(bytes: Uint8Array): boolean
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: { memory: { buffer: ArrayBuffer }; run(): void } }
}

declare const WebAssembly: WasmEngine | undefined

/** Returns the engine of this process; `undefined` if Node runs without one (`--jitless`). */
export const wasmEngine = (): WasmEngine | undefined => (typeof WebAssembly === "undefined" ? undefined : WebAssembly)

/**
 * A program of one function for WebAssembly, which computes with vectors: numbers of 32 bits four at a time, or of 64 bits two at a time.
 * JavaScript has no such instructions. The program has one page of memory, 64 KiB.
 */
export class WasmProgram {
  readonly #statements: Statement[] = []
  readonly #data: { readonly at: number; readonly bytes: Uint8Array }[] = []
  #variables = 0
  #reserved = 0

  /** Makes new variables. */
  variables(count: number): readonly Variable[] {
    return Array.from({ length: count }, () => variable(this.#variables++))
  }

  /** Reserves a part of the memory, which begins at a multiple of 16. Returns its address. */
  reserve(size: number): number {
    const at = this.#reserved
    this.#reserved = Math.ceil((at + size) / 16) * 16
    return at
  }

  /** Places numbers in the memory. Returns the address of the first. */
  place(numbers: Int32Array | Float64Array | Uint16Array): number {
    const at = this.reserve(numbers.byteLength)
    this.#data.push({ at, bytes: new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength) })
    return at
  }

  /** Appends statements to the function. */
  append(...statements: readonly Statement[]): void {
    this.#statements.push(...statements)
  }

  /**
   * Compiles the program. Returns undefined if the engine has no vectors, or if the arrays of this machine have another order of bytes than
   * WebAssembly.
   */
  compile(engine: WasmEngine): CompiledProgram | undefined {
    const bytes = this.bytes()
    if (!engine.validate(bytes) || isBigEndian()) return undefined
    const { memory, run } = new engine.Instance(new engine.Module(bytes)).exports
    const target = new Uint8Array(memory.buffer)
    for (const { at, bytes } of this.#data) target.set(bytes, at)
    return { memory: memory.buffer, run }
  }

  /** The module in the binary format: a type, a function of that type, a page of memory, the names of both, and the code. */
  bytes(): Uint8Array {
    const code = bytesOf([1, unsigned(this.#variables), V128, this.#statements, END])
    return Buffer.concat([
      bytesOf([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
      section(1, [1, 0x60, 0, 0]),
      section(3, [1, 0]),
      section(5, [1, 0, 1]),
      section(7, [2, name("memory"), 2, 0, name("run"), 0, 0]),
      section(10, [1, unsigned(code.length)], code),
    ])
  }
}

const isBigEndian = () => new Uint8Array(Uint16Array.of(1).buffer)[0] === 0

const V128 = 0x7b
const END = 0x0b

function section(id: number, begin: Code, rest: Uint8Array = bytesOf([])): Uint8Array {
  const content = bytesOf(begin)
  return Buffer.concat([bytesOf([id, unsigned(content.length + rest.length)]), content, rest])
}

const name = (text: string): Code => [text.length, [...Buffer.from(text)]]

/** The bytes of all parts. */
function bytesOf(code: Code): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  append(code, bytes)
  return new Uint8Array(bytes)
}

// This runs too early to be compiled, so that iterators would take most of the time of making a program.
function append(part: Code, bytes: number[]): void {
  if (typeof part === "number") bytes.push(part)
  else for (let i = 0; i < part.length; i++) append(part[i] as Code, bytes)
}

/** A number in LEB128 without a sign. */
function unsigned(value: number): Code {
  return value < 0x80 ? value : [(value & 0x7f) | 0x80, unsigned(value >>> 7)]
}

const variable = (index: number): Variable => ({
  value: [0x20, unsigned(index)],
  set: (to) => [to, 0x21, unsigned(index)],
})

/** The number of a count of bits or of an address, which is below 64. */
const small = (value: number): Expression => [0x41, value]
const ADDRESS_0 = small(0)

const vector = (instruction: number): Code => [0xfd, unsigned(instruction)]
/** An instruction that makes one value of two, repeated for more than two. */
const binary =
  (instruction: number) =>
  (first: Expression, ...others: readonly Expression[]): Expression => [first, others.map((each) => [each, vector(instruction)])]

/** Reads a vector at an address. */
export const loadVector = (address: number): Expression => [ADDRESS_0, vector(0), 4, unsigned(address)]
/** Reads the number of 32 bits at an address into each quarter of a vector. */
export const load32 = (address: number): Expression => [ADDRESS_0, vector(9), 2, unsigned(address)]
/** Reads the number of 64 bits at an address into both halves of a vector. */
export const load64 = (address: number): Expression => [ADDRESS_0, vector(10), 3, unsigned(address)]

export const and = binary(78)
export const or = binary(80)
export const xor = binary(81)
/** Takes the bits of the first vector where the third has a one, and those of the second elsewhere. */
export const select = (ones: Expression, zeros: Expression, by: Expression): Expression => [ones, zeros, by, vector(82)]

/** Adds four numbers of 32 bits. */
export const add32 = binary(174)
export const shiftLeft32 = (value: Expression, bits: number): Expression => [value, small(bits), vector(171)]
export const shiftRight32 = (value: Expression, bits: number): Expression => [value, small(bits), vector(173)]
export const rotateRight32 = (value: Expression, bits: number): Expression =>
  or(shiftRight32(value, bits), shiftLeft32(value, 32 - bits))

/** Adds two floating-point numbers of 64 bits. */
export const addFloat = binary(240)
export const subtractFloat = binary(241)
export const multiplyFloat = binary(242)
/** Gives ones where the first is not less than the second, and zeros elsewhere. */
export const notLessFloat = binary(76)
export const floorFloat = (value: Expression): Expression => [value, vector(117)]

/** Makes floating-point numbers of the first two of four numbers of 32 bits without a sign. */
export const lowFloats = (value: Expression): Expression => [value, vector(255)]
/** Makes floating-point numbers of the last two of four numbers of 32 bits without a sign. */
export const highFloats = (value: Expression): Expression => lowFloats([value, value, vector(13), UPPER_HALF, UPPER_HALF])
const UPPER_HALF = [8, 9, 10, 11, 12, 13, 14, 15]

/**
 * Looks up the number of 16 bits in a table and stores it at an address. Its index is one of the four numbers of 32 bits in a vector.
 */
export const store16From = (table: number, vectorOfIndexes: Expression, lane: number, address: number): Statement => [
  ADDRESS_0,
  [vectorOfIndexes, vector(27), lane],
  // The index times two, and the table behind it.
  [small(1), 0x74],
  [0x2f, 1, unsigned(table)],
  [0x3b, 1, unsigned(address)],
]
