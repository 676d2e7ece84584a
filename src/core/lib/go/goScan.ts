import type { Pace } from "../pace.js"
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

/** Receives the parts of a JSON value in their order, by their positions in the text. */
export interface JsonEvents {
  /** An object or a list begins. */
  open(isObject: boolean, at: number): void
  /** The key of a member, with its quotes. */
  key(start: number, end: number): void
  /** A string, number, `true`, `false` or `null`. */
  scalar(start: number, end: number): void
  /** The last object or list that was opened ends. */
  close(end: number): void
}

/**
 * Finds the first JSON value of a text as Go's decoder does: it ignores the rest of the text, and reports errors in Go's words. Go counts
 * bytes, so the offset of an error is Go's if each character of the text is one byte (Latin-1). Decoded text is scanned too.
 */
export function scan(text: string, from = 0): ScanResult | ScanFault {
  return firstValue(text, from)(Number.POSITIVE_INFINITY) as ScanResult | ScanFault
}

/** Does the same with pauses, for a text that may be long. */
export async function scanWithPauses(text: string, pace: Pace, from = 0): Promise<ScanResult | ScanFault> {
  const step = firstValue(text, from)
  for (;;) {
    const found = step(SCANNED_AT_ONCE)
    // Also after the last step, which may have read a number of millions of digits.
    if (pace.isDue) await pace.pause()
    if (found) return found
  }
}

/** Returns a function that scans about this many characters more of the first value of a text. It returns `undefined` before the end of the value. */
function firstValue(text: string, from: number): (characters: number) => ScanResult | ScanFault | undefined {
  const found = new PartFinder(text)
  const scanner = new JsonScanner(text, found, from)
  return (characters) => {
    try {
      const end = scanner.step(characters)
      return end === undefined ? undefined : { key: "", start: scanner.start, end, parts: found.parts }
    } catch (error) {
      if (error instanceof ScanFault) return error
      throw error
    }
  }
}

/** Finds the parts directly inside a value. */
class PartFinder implements JsonEvents {
  readonly parts: Part[] = []
  readonly #text: string
  #depth = 0
  #key = ""
  #start = 0

  constructor(text: string) {
    this.#text = text
  }

  open(_isObject: boolean, at: number): void {
    if (this.#depth++ === 1) this.#start = at
  }

  key(start: number, end: number): void {
    if (this.#depth === 1) this.#key = this.#text.slice(start, end)
  }

  scalar(start: number, end: number): void {
    if (this.#depth === 1) this.#add(start, end)
  }

  close(end: number): void {
    if (--this.#depth === 1) this.#add(this.#start, end)
  }

  #add(start: number, end: number): void {
    if (this.parts.length < MAX_PARTS) this.parts.push({ key: this.#key, start, end })
  }
}

/**
 * The one reader of JSON: it checks the syntax of a value and reports its parts. It can pause, and is not recursive, so that depth costs no
 * stack. Functions pass the position as a parameter, because reading it from a field for each character takes a third more time.
 */
export class JsonScanner {
  /** The position of the value. */
  readonly start: number
  readonly #text: string
  readonly #events: JsonEvents
  /** True for each open object, false for each open list. */
  readonly #open: boolean[] = []
  /** True if the string at the present position is a key. */
  #isKey = false
  /** The position of the string in which the last pause was, or -1. */
  #textStart = -1
  #at: number

  constructor(text: string, events: JsonEvents, from = 0) {
    this.#text = text
    this.#events = events
    this.start = afterSpace(text, from)
    this.#at = this.start
  }

  /** Scans about this many characters. Returns the end of the value when it is reached. Throws `ScanFault`. */
  step(characters: number): number | undefined {
    const text = this.#text
    const open = this.#open
    const events = this.#events
    if (this.start >= text.length) throw new ScanFault("EOF", this.start)
    let at = this.#at
    for (const pause = at + characters; at < pause; ) {
      const code = text.charCodeAt(at)
      if (code === QUOTE || this.#textStart >= 0) {
        const start = this.#textStart >= 0 ? this.#textStart : at
        const end = endOfText(text, this.#textStart >= 0 ? at : at + 1, pause)
        this.#textStart = end < 0 ? start : -1
        at = Math.abs(end)
        if (end < 0) break
        if (this.#isKey) {
          at = this.#afterKey(start, at)
          continue
        }
        events.scalar(start, at)
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        open.push(code === OPEN_OBJECT)
        if (open.length > MAX_DEPTH) throw unexpectedCharacter(text, at, "exceeded max depth")
        events.open(code === OPEN_OBJECT, at)
        at = afterSpace(text, at + 1)
        if (text.charCodeAt(at) !== (code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST)) {
          this.#intoPart(at)
          continue
        }
        open.pop()
        events.close(++at)
      } else {
        const end = endOfScalar(text, at)
        events.scalar(at, end)
        at = end
      }
      at = this.#closeEnded(at)
      if (open.length === 0) return at
    }
    this.#at = at
    return undefined
  }

  /** Called at the start of a member or an element. The member of an object begins with its key. */
  #intoPart(at: number): void {
    this.#isKey = this.#open.at(-1) === true
    if (this.#isKey && this.#text.charCodeAt(at) !== QUOTE) {
      throw unexpectedCharacter(this.#text, at, "looking for beginning of object key string")
    }
  }

  /** Called after a key. Returns the position of the value. */
  #afterKey(start: number, end: number): number {
    this.#isKey = false
    this.#events.key(start, end)
    const at = afterSpace(this.#text, end)
    if (this.#text.charCodeAt(at) !== COLON) throw unexpectedCharacter(this.#text, at, "after object key")
    return afterSpace(this.#text, at + 1)
  }

  /** Called after a value: closes the values that end here, and skips the next comma. Nothing is open after the outermost value. */
  #closeEnded(from: number): number {
    const text = this.#text
    const open = this.#open
    let at = from
    while (open.length > 0) {
      at = afterSpace(text, at)
      const next = text.charCodeAt(at)
      const isObject = open[open.length - 1]
      if (next === COMMA) {
        at = afterSpace(text, at + 1)
        this.#intoPart(at)
        return at
      }
      if (next !== (isObject ? CLOSE_OBJECT : CLOSE_LIST)) {
        throw unexpectedCharacter(text, at, isObject ? "after object key:value pair" : "after array element")
      }
      open.pop()
      this.#events.close(++at)
    }
    return at
  }
}
