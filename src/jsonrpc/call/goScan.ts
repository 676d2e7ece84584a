import { goQuoteCharacter } from "../../core/lib/goQuote.js"
import { utf8Text, wellFormed } from "../../core/lib/goText.js"
import type { Work } from "../../core/lib/work.js"

/** A value inside a text: where it begins and ends. */
export interface Part {
  readonly start: number
  readonly end: number
  /** The key before it as JSON text, where it is a member; else empty. */
  readonly key: string
}

/** The first JSON value of a text, and if it is an object or a list, the parts directly inside it. */
export interface Scanned extends Part {
  readonly parts: readonly Part[]
}

/** Why a text has no first JSON value, in the words of Go's encoding/json. */
export class ScanFault {
  readonly reason: string
  readonly offset: number

  constructor(reason: string, offset: number) {
    this.reason = reason
    this.offset = offset
  }
}

/** How deep Go lets arrays and objects nest. */
const MAX_DEPTH = 10_000

/** How many parts of the outermost value are noted: more than any request has, and a bound on what a stranger can make us keep. */
const MAX_PARTS = 1024

const QUOTE = 0x22
const MINUS = 0x2d
const COMMA = 0x2c
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Characters that are scanned in one step: some milliseconds. */
export const SCANNED_AT_ONCE = 1 << 17

/**
 * Finds the first JSON value of a text as Go's decoder does: what follows it is ignored, and what is wrong is told in Go's words.
 * Go reads bytes: the text holds one in each character (Latin-1). Nothing here is recursive, so depth costs no stack.
 */
export function scanFirst(text: string, from = 0): Scanned | ScanFault {
  return stepOf(new Scanner(text, from), Number.POSITIVE_INFINITY) as Scanned | ScanFault
}

/** The same for a long text, with pauses. */
export function* scanInSteps(text: string, from = 0): Work<Scanned | ScanFault> {
  const scanner = new Scanner(text, from)
  for (;;) {
    const found = stepOf(scanner, SCANNED_AT_ONCE)
    if (found) return found
    yield
  }
}

function stepOf(scanner: Scanner, characters: number): Scanned | ScanFault | undefined {
  try {
    return scanner.step(characters)
  } catch (error) {
    if (error instanceof ScanFault) return error
    throw error
  }
}

/** A scan that can be interrupted. The place is handed from function to function: a field that is read for each character costs a third. */
class Scanner {
  readonly #text: string
  readonly #start: number
  readonly #parts: Part[] = []
  /** True for each open object, false for each open list. */
  readonly #open: boolean[] = []
  #key = ""
  /** True where a pause came inside a text. */
  #isInText = false
  #partStart: number
  #at: number

  constructor(text: string, from: number) {
    this.#text = text
    this.#start = afterSpace(text, from)
    this.#partStart = this.#start
    this.#at = this.#start
  }

  /** Goes on for about so many characters; returns the value when its end has come. Throws `ScanFault`. */
  step(characters: number): Scanned | undefined {
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
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        open.push(code === OPEN_OBJECT)
        if (open.length > MAX_DEPTH) throw unexpected(text, at, "exceeded max depth")
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

  /** Steps over the key in front of a member, if we are in an object, to where the value begins. */
  #intoPart(from: number): number {
    const text = this.#text
    const open = this.#open
    let at = from
    if (open[open.length - 1]) {
      const keyEnd = endOfKey(text, at)
      if (open.length === 1) this.#key = text.slice(at, keyEnd)
      at = afterSpace(text, keyEnd)
      if (text.charCodeAt(at) !== COLON) throw unexpected(text, at, "after object key")
      at++
    }
    at = afterSpace(text, at)
    if (open.length === 1) this.#partStart = at
    return at
  }

  /** A value has ended: closes what ends with it, and steps over the next comma. Nothing is open where it was the outermost value. */
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
        throw unexpected(text, at, isObject ? "after object key:value pair" : "after array element")
      }
      open.pop()
      at++
    }
    return at
  }
}

function afterSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

function endOfKey(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) throw unexpected(text, at, "looking for beginning of object key string")
  return endOfString(text, at)
}

function endOfScalar(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === QUOTE) return endOfString(text, at)
  if (code === MINUS || isDigit(code)) return endOfNumber(text, at)
  for (const word of ["true", "false", "null"]) {
    if (code === word.charCodeAt(0)) return endOfWord(text, at, word)
  }
  throw unexpected(text, at, "looking for beginning of value")
}

function endOfWord(text: string, start: number, word: string): number {
  for (let i = 1; i < word.length; i++) {
    if (text[start + i] !== word[i]) throw unexpected(text, start + i, `in literal ${word} (expecting '${word[i]}')`)
  }
  return start + word.length
}

function endOfString(text: string, start: number): number {
  return endOfText(text, start + 1, Number.POSITIVE_INFINITY)
}

/** The place behind the text that is open at a place; minus the place reached where a pause comes first. */
function endOfText(text: string, from: number, pause: number): number {
  let at = from
  while (at < pause) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at = endOfEscape(text, at)
    else if (code >= 0x20) at++
    // Not a number past the end of the text, so this catches both.
    else throw unexpected(text, at, "in string literal")
  }
  return -at
}

function endOfEscape(text: string, start: number): number {
  const code = text[start + 1] ?? ""
  if (code !== "u") {
    if (code !== "" && 'bfnrt\\/"'.includes(code)) return start + 2
    throw unexpected(text, start + 1, "in string escape code")
  }
  for (let at = start + 2; at < start + 6; at++) {
    if (!isHexDigit(text.charCodeAt(at))) throw unexpected(text, at, "in \\u hexadecimal character escape")
  }
  return start + 6
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66)
}

function endOfNumber(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start
  at = text.charCodeAt(at) === ZERO ? at + 1 : afterDigits(text, at, "in numeric literal")
  if (text.charCodeAt(at) === DOT) at = afterDigits(text, at + 1, "after decimal point in numeric literal")
  const exponent = text[at]
  if (exponent === "e" || exponent === "E") {
    const sign = text[at + 1]
    at = afterDigits(text, sign === "+" || sign === "-" ? at + 2 : at + 1, "in exponent of numeric literal")
  }
  return at
}

/** Past one or more digits. */
function afterDigits(text: string, from: number, context: string): number {
  let at = from
  while (isDigit(text.charCodeAt(at))) at++
  if (at === from) throw unexpected(text, at, context)
  return at
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

function unexpected(text: string, at: number, context: string): ScanFault {
  if (at >= text.length) return new ScanFault("unexpected EOF", at)
  return new ScanFault(`invalid character ${goQuoteCharacter(text[at] as string)} ${context}`, at)
}

/** Bytes in Latin-1 as the text that they are in UTF-8. */
export function decoded(text: string): string {
  return BEYOND_ASCII.test(text) ? utf8Text(Buffer.from(text, "latin1")) : text
}

const BEYOND_ASCII = /[\x80-\xff]/

/** The same for a long text, with pauses. */
export function* decodedInSteps(text: string): Work<string> {
  let out = ""
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + SCANNED_AT_ONCE, text.length)
    // A character is not taken apart: bytes that do not begin one stay with those before them.
    for (let back = 0; back < 3 && isContinuation(text.charCodeAt(end)); back++) end--
    out += decoded(text.slice(at, end))
    at = end
    yield
  }
  return out
}

const isContinuation = (code: number): boolean => (code & 0xc0) === 0x80

/** The text that a JSON string spells. */
export function textOf(json: string): string {
  return json.includes("\\") ? wellFormed(JSON.parse(json) as string) : json.slice(1, -1)
}

/** JSON text, known to be well formed, without the white space between its parts. No pattern does it: on long texts they run out of stack. */
export function compacted(json: string): string {
  let out = ""
  for (let at = 0; at < json.length; ) {
    const open = json.indexOf('"', at)
    const between = json.slice(at, open < 0 ? json.length : open)
    out += between.replace(/[ \t\n\r]+/g, "")
    if (open < 0) break
    at = endOfString(json, open)
    out += json.slice(open, at)
  }
  return out
}
