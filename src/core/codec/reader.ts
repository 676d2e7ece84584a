import { latin1, partToHex } from "../lib/bytes.js"
import type { Invalid } from "../lib/invalid.js"
import { codecError } from "./errors.js"

interface TracedCodec<T> {
  readonly composite?: boolean
  read(r: Reader): T
}

/** Records a read field by field. It is present only if positions are requested, because it slows reading down. */
export class Trace {
  readonly path: (string | number)[] = []
  readonly #onLeaf: ((path: string, start: number, end: number) => void) | undefined

  constructor(onLeaf?: (path: string, start: number, end: number) => void) {
    this.#onLeaf = onLeaf
  }

  /** Reads a part of a value, and records its position. */
  part<T>(r: Reader, codec: TracedCodec<T>, ...name: readonly (string | number)[]): T {
    this.path.push(...name)
    const start = r.offset
    const value = codec.read(r)
    if (!codec.composite) this.leaf(start, r.offset)
    this.path.length -= name.length
    return value
  }

  leaf(start: number, end: number, name?: string): void {
    if (!this.#onLeaf) return
    this.#onLeaf((name === undefined ? this.path : [...this.path, name]).join("."), start, end)
  }
}

/** Reads values from untrusted bytes. It throws instead of reading past the end. */
export class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  offset = 0
  readonly length: number
  readonly trace: Trace | undefined
  /** The kinds around the current position, because no kind may be nested in itself. */
  readonly open: number[] = []
  /** Returns the codec of a type that the value around the current position knows, although the place does not need it. */
  otherType: ((typeID: number) => TracedCodec<unknown> | undefined) | undefined

  constructor(bytes: Uint8Array, trace?: Trace) {
    // `byteLength` is not used, because a buffer of LMDB is larger than its content.
    this.length = bytes.length
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.trace = trace
  }

  get left(): number {
    return this.length - this.offset
  }

  u8(): number {
    return this.#bytes[this.#take(1, "uint8")] as number
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2, "uint16"))
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4, "uint32"))
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8, "uint64"))
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#take(8, "int64"))
  }

  /** Reads bytes as lowercase hex. */
  hex(size: number): string {
    const start = this.#take(size)
    return partToHex(this.#bytes, start, start + size)
  }

  /** Reads bytes as text, one character for each. */
  latin1(size: number): string {
    const start = this.#take(size)
    return latin1(this.#bytes.subarray(start, start + size))
  }

  /** Reads a copy of the next bytes. */
  bytes(size: number): Uint8Array {
    const start = this.#take(size)
    return this.slice(start, start + size)
  }

  /** Returns a copy of bytes that were read already. */
  slice(start: number, end: number): Uint8Array {
    return this.#bytes.slice(start, end)
  }

  /** Copies bytes that were read already to another place. */
  copyTo(target: Uint8Array, at: number, start: number, end: number): void {
    target.set(this.#bytes.subarray(start, end), at)
  }

  /** Refuses bytes after the end of the value. */
  end(): void {
    if (this.left > 0) throw this.fail("codec.trailing", { read: this.offset, provided: this.length })
  }

  fail(code: keyof typeof codecError.list, data: Record<string, unknown> = {}): Invalid {
    return codecError(code, { path: this.trace?.path.join(".") ?? "", offset: this.offset, ...data })
  }

  #take(size: number, reading?: string): number {
    const start = this.offset
    if (size > this.length - start) throw this.#truncated(size, reading)
    this.offset = start + size
    return start
  }

  /**
   * Makes the refusal of bytes that end too early. It names the value if AvalancheGo does: numbers, counts and type IDs, but not raw bytes.
   */
  #truncated(wanted: number, reading: string | undefined): Invalid {
    const data = { wanted, left: this.left }
    return this.fail("codec.truncated", reading === undefined ? data : { ...data, reading })
  }
}
