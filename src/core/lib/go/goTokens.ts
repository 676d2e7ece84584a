import { goQuoteCharacter } from "./goQuote.js"

/** The error of a text without a first JSON value, in the words of Go's encoding/json. */
export class ScanFault {
  readonly reason: string
  readonly offset: number

  constructor(reason: string, offset: number) {
    this.reason = reason
    this.offset = offset
  }
}

/** Character codes of JSON. */
export const QUOTE = 0x22
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const BACKSLASH = 0x5c

/** Returns the position of the first character that is not white space. */
export function afterSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

/** Returns the position after a string, number, `true`, `false` or `null`. Throws `ScanFault`, as do the functions below. */
export function endOfScalar(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === QUOTE) return endOfString(text, at)
  if (code === MINUS || isDigit(code)) return endOfNumber(text, at)
  for (const word of ["true", "false", "null"]) {
    if (code === word.charCodeAt(0)) return endOfWord(text, at, word)
  }
  throw unexpectedCharacter(text, at, "looking for beginning of value")
}

function endOfWord(text: string, start: number, word: string): number {
  for (let i = 1; i < word.length; i++) {
    if (text[start + i] !== word[i]) throw unexpectedCharacter(text, start + i, `in literal ${word} (expecting '${word[i]}')`)
  }
  return start + word.length
}

/** Returns the position after the string that starts at a quote. */
export function endOfString(text: string, start: number): number {
  return endOfText(text, start + 1, Number.POSITIVE_INFINITY)
}

/** Returns the position after the closing quote of a string, searched from inside it; or minus the position that was reached at `pause` or later. */
export function endOfText(text: string, from: number, pause: number): number {
  let at = from
  while (at < pause) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at = endOfEscape(text, at)
    else if (code >= 0x20) at++
    // After the end of the text the code is NaN, which this branch reports too.
    else throw unexpectedCharacter(text, at, "in string literal")
  }
  return -at
}

function endOfEscape(text: string, start: number): number {
  const code = text[start + 1] ?? ""
  if (code !== "u") {
    if (code !== "" && 'bfnrt\\/"'.includes(code)) return start + 2
    throw unexpectedCharacter(text, start + 1, "in string escape code")
  }
  for (let at = start + 2; at < start + 6; at++) {
    if (!isHexDigit(text.charCodeAt(at))) throw unexpectedCharacter(text, at, "in \\u hexadecimal character escape")
  }
  return start + 6
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

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

/** Returns the position after one or more digits. */
function afterDigits(text: string, from: number, context: string): number {
  let at = from
  while (isDigit(text.charCodeAt(at))) at++
  if (at === from) throw unexpectedCharacter(text, at, context)
  return at
}

/** Makes the error of a character that is not allowed at a position, or of a text that ends too early. */
export function unexpectedCharacter(text: string, at: number, context: string): ScanFault {
  if (at >= text.length) return new ScanFault("unexpected EOF", at)
  return new ScanFault(`invalid character ${goQuoteCharacter(text[at] as string)} ${context}`, at)
}
