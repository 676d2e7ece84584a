import type { Work } from "../work.js"
import { afterSpace, endOfScalar, endOfText, QUOTE, ScanFault, unexpectedCharacter } from "./goTokens.js"

/** The position of a JSON value in a text. */
export interface Part {
  readonly start: number
  readonly end: number
  /** Key of a member as JSON text; empty for other values. */
  readonly key: string
}

/** The position of the first JSON value of a text, and of the values directly inside it if it is an object or a list. */
export interface ScanResult extends Part {
  readonly parts: readonly Part[]
}

/** Go's limit of nested arrays and objects. */
const MAX_DEPTH = 10_000

/** Limit of recorded parts. It is above the number in any valid request, and bounds the memory that a client can use. */
const MAX_PARTS = 1024

const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Number of characters that are scanned in one step, which takes some milliseconds. */
export const SCANNED_AT_ONCE = 1 << 17

/**
 * Finds the first JSON value of a text as Go's decoder does: it ignores the rest of the text, and reports errors in Go's words. Go counts
 * bytes, so the offset of an error is Go's if each character of the text is one byte (Latin-1). Decoded text is scanned too. The scan is not
 * recursive, so depth costs no stack.
 */
export function scanFirst(text: string, from = 0): ScanResult | ScanFault {
  return stepOf(new Scanner(text, from), Number.POSITIVE_INFINITY) as ScanResult | ScanFault
}

/** Does the same for a long text, in steps. */
export function* scanInSteps(text: string, from = 0): Work<ScanResult | ScanFault> {
  const scanner = new Scanner(text, from)
  for (;;) {
    const found = stepOf(scanner, SCANNED_AT_ONCE)
    if (found) return found
    yield
  }
}

function stepOf(scanner: Scanner, characters: number): ScanResult | ScanFault | undefined {
  try {
    return scanner.step(characters)
  } catch (error) {
    if (error instanceof ScanFault) return error
    throw error
  }
}

/**
 * A scan that can pause. Functions pass the position as a parameter, because reading it from a field for each character takes a third more
 * time.
 */
class Scanner {
  readonly #text: string
  readonly #start: number
  readonly #parts: Part[] = []
  /** True for each open object, false for each open list. */
  readonly #open: boolean[] = []
  #key = ""
  /** The position of the key that is being scanned, or -1. */
  #keyStart = -1
  /** True if the last pause was inside a string. */
  #isInText = false
  #partStart: number
  #at: number

  constructor(text: string, from: number) {
    this.#text = text
    this.#start = afterSpace(text, from)
    this.#partStart = this.#start
    this.#at = this.#start
  }

  /** Scans about this many characters. Returns the value when its end is reached. Throws `ScanFault`. */
  step(characters: number): ScanResult | undefined {
    const text = this.#text
    const open = this.#open
    if (this.#start >= text.length) throw new ScanFault("EOF", this.#start)
    let at = this.#at
    for (const pause = at + characters; at < pause; ) {
      const code = text.charCodeAt(at)
      if (code === QUOTE || this.#isInText) {
        const end = endOfText(text, this.#isInText ? at : at + 1, pause)
        this.#isInText = end < 0
        at = Math.abs(end)
        if (end < 0) break
        if (this.#keyStart >= 0) {
          at = this.#afterKey(at)
          continue
        }
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        open.push(code === OPEN_OBJECT)
        if (open.length > MAX_DEPTH) throw unexpectedCharacter(text, at, "exceeded max depth")
        at = afterSpace(text, at + 1)
        if (text.charCodeAt(at) !== (code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST)) {
          at = this.#intoPart(at)
          continue
        }
        open.pop()
        at++
      } else {
        at = endOfScalar(text, at)
      }
      at = this.#closeEnded(at)
      if (open.length === 0) return { key: "", start: this.#start, end: at, parts: this.#parts }
    }
    this.#at = at
    return undefined
  }

  /** Called at the start of a member or an element. Returns the position of the key of the member, or of the element. */
  #intoPart(at: number): number {
    const open = this.#open
    if (!open[open.length - 1]) return this.#intoValue(at)
    if (this.#text.charCodeAt(at) !== QUOTE) {
      throw unexpectedCharacter(this.#text, at, "looking for beginning of object key string")
    }
    this.#keyStart = at
    return at
  }

  /** Called after a key. Returns the position of the value. */
  #afterKey(keyEnd: number): number {
    const text = this.#text
    if (this.#open.length === 1) this.#key = text.slice(this.#keyStart, keyEnd)
    this.#keyStart = -1
    const at = afterSpace(text, keyEnd)
    if (text.charCodeAt(at) !== COLON) throw unexpectedCharacter(text, at, "after object key")
    return this.#intoValue(afterSpace(text, at + 1))
  }

  #intoValue(at: number): number {
    if (this.#open.length === 1) this.#partStart = at
    return at
  }

  /** Called after a value: closes the values that end here, and skips the next comma. Nothing is open after the outermost value. */
  #closeEnded(from: number): number {
    const text = this.#text
    const open = this.#open
    let at = from
    while (open.length > 0) {
      if (open.length === 1 && this.#parts.length < MAX_PARTS)
        this.#parts.push({ key: this.#key, start: this.#partStart, end: at })
      at = afterSpace(text, at)
      const next = text.charCodeAt(at)
      const isObject = open[open.length - 1]
      if (next === COMMA) return this.#intoPart(afterSpace(text, at + 1))
      if (next !== (isObject ? CLOSE_OBJECT : CLOSE_LIST)) {
        throw unexpectedCharacter(text, at, isObject ? "after object key:value pair" : "after array element")
      }
      open.pop()
      at++
    }
    return at
  }
}
