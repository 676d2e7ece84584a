import { endOfDigits } from "./digits.js"
import { refusals } from "./invalid.js"
import type { Json } from "./json.js"
import type { Work } from "./work.js"

/** Refusals of text that is not JSON. */
export const jsonError = refusals({
  "json.malformed": "the text is not JSON",
  "json.too_deep": "the JSON is nested too deeply",
  "json.too_many_values": "the JSON holds too many values",
})

/** Converts the text of a number to a value. */
export type NumberReader = (text: string) => Json

/** The maximum number of digits of a number that is read exactly, because reading takes time. */
const MAX_DIGITS = 1000

/** Reads integers exactly: as numbers up to 53 bits, as bigints beyond (as infinity above a thousand digits). */
const exactNumber: NumberReader = (text) => {
  const value = Number(text)
  if (Number.isSafeInteger(value) || text.length > MAX_DIGITS) return value
  return /^-?\d+$/.test(text) ? BigInt(text) : value
}

/** A value of `parseJsonWith`. `T` is the type of the values that replace strings and objects. */
export type ParsedValue<T> = Json | T | readonly ParsedValue<T>[] | { readonly [key: string]: ParsedValue<T> }

/** Options of `parseJson`. */
export interface ParseOptions<T = never> {
  readonly number?: NumberReader
  /** Limit of nested arrays and objects; 512 by default. */
  readonly maxDepth?: number
  /** Limit of the number of values; none by default. */
  readonly maxValues?: number
  /** Replaces each string; receives its value and whether it has escapes. */
  readonly text?: (value: string, hasEscapes: boolean) => ParsedValue<T>
  /** Replaces each object; receives its members in order, with all of several equal keys. */
  readonly object?: (entries: [string, ParsedValue<T>][]) => ParsedValue<T>
  /** Puts a member into an object. Members come in order, with all of several equal keys. `object` is not called then. */
  readonly put?: (members: Record<string, ParsedValue<T>>, key: string, value: ParsedValue<T>) => void
}

/** Reads JSON text without rounding integers. Throws `json.malformed` with the offset. */
export function parseJson(text: string, options: ParseOptions = {}): Json {
  return parseJsonWith(text, options)
}

/** Reads JSON text with values of one's own in place of strings and objects. Throws `json.malformed` with the offset. */
export function parseJsonWith<T>(text: string, options: ParseOptions<T>): ParsedValue<T> {
  const reader = new JsonReader<T>(text, options)
  const value = reader.value(0)
  reader.end()
  return value
}

/** Does the same in steps if the text is a list. Other values are read at once. */
export function* parseJsonInSteps<T>(text: string, options: ParseOptions<T>): Work<ParsedValue<T>> {
  const reader = new JsonReader<T>(text, options)
  const value = yield* reader.valueInSteps()
  reader.end()
  return value
}

/** The number of values of a list that are read in one step: some tenths of a millisecond for IDs. */
const VALUES_PER_STEP = 1024

/** A part of a text from this length on keeps the whole text in memory, where a shorter one is a copy. */
const FIRST_SHARED_LENGTH = 13

/** The number of positions whose last keys are remembered. */
const MAX_LAST_KEYS = 16

/** Codes of a quote and a backslash, and the first one that a string may have as it is. */
const [QUOTE, BACKSLASH, FIRST_PLAIN] = [0x22, 0x5c, 0x20]

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

function putMember<V>(members: Record<string, V>, key: string, value: V): void {
  // A plain assignment to this one key would change the prototype.
  if (key === "__proto__") Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true })
  else members[key] = value
}

class JsonReader<T> {
  at = 0
  readonly #text: string
  readonly #number: NumberReader
  readonly #maxDepth: number
  readonly #object: ParseOptions<T>["object"]
  readonly #put: NonNullable<ParseOptions<T>["put"]>
  readonly #ofText: ParseOptions<T>["text"]
  readonly #maxValues: number
  #values = 0
  readonly #numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  /** The last key at each position of an object, by depth. The objects of a list mostly have the same keys in the same order. */
  readonly #lastKeys: string[][] = []

  constructor(text: string, options: ParseOptions<T>) {
    this.#text = text
    this.#number = options.number ?? exactNumber
    this.#maxDepth = options.maxDepth ?? 512
    this.#object = options.object
    this.#put = options.put ?? putMember
    this.#ofText = options.text
    this.#maxValues = options.maxValues ?? Number.POSITIVE_INFINITY
  }

  value(depth: number): ParsedValue<T> {
    if (depth > this.#maxDepth) throw jsonError("json.too_deep", { offset: this.at, limit: this.#maxDepth })
    if (this.#values++ >= this.#maxValues) throw jsonError("json.too_many_values", { offset: this.at })
    this.#space()
    switch (this.#text[this.at]) {
      case "{":
        return this.#members(depth)
      case "[":
        return this.#items(depth)
      case '"':
        return this.#stringValue()
      case "t":
        return this.#word("true", true)
      case "f":
        return this.#word("false", false)
      case "n":
        return this.#word("null", null)
      default:
        return this.#number(this.#digits() ?? this.#match(this.#numberPattern))
    }
  }

  /** Reads the value of the whole text. If it is a list, other work runs between its items. */
  *valueInSteps(): Work<ParsedValue<T>> {
    this.#space()
    return this.#text[this.at] === "[" ? yield* this.#itemsInSteps() : this.value(0)
  }

  *#itemsInSteps(): Work<ParsedValue<T>> {
    const out: ParsedValue<T>[] = []
    if (this.#values++ >= this.#maxValues) throw jsonError("json.too_many_values", { offset: this.at })
    let pause = this.#values + VALUES_PER_STEP
    this.at++
    this.#space()
    if (this.#take("]")) return out
    do {
      out.push(this.value(1))
      this.#space()
      if (this.#values < pause) continue
      pause = this.#values + VALUES_PER_STEP
      yield
    } while (this.#take(","))
    if (!this.#take("]")) throw this.#fail()
    return out
  }

  end(): void {
    this.#space()
    if (this.at < this.#text.length) throw this.#fail()
  }

  #members(depth: number): ParsedValue<T> {
    const entries: [string, ParsedValue<T>][] | undefined = this.#object && []
    const members: Record<string, ParsedValue<T>> = {}
    this.#lastKeys[depth] ??= []
    const lastKeys = this.#lastKeys[depth] as string[]
    this.at++
    this.#space()
    if (!this.#take("}")) {
      let position = 0
      do {
        this.#space()
        const key = this.#key(lastKeys, position++)
        this.#space()
        if (!this.#take(":")) throw this.#fail()
        const value = this.value(depth + 1)
        if (entries) entries.push([key, value])
        else this.#put(members, key, value)
        this.#space()
      } while (this.#take(","))
      if (!this.#take("}")) throw this.#fail()
    }
    return this.#object && entries ? this.#object(entries) : members
  }

  /** Takes a key. If it is the one that an earlier object has at this position, it is not made again. */
  #key(lastKeys: string[], position: number): string {
    const last = lastKeys[position]
    const text = this.#text
    const start = this.at + 1
    if (last !== undefined && text.charCodeAt(start + last.length) === QUOTE && text.startsWith(last, start)) {
      if (text.charCodeAt(this.at) !== QUOTE) throw this.#fail()
      this.at = start + last.length + 1
      return last
    }
    const key = this.#string()
    // A key with an escape is longer in the text than here.
    if (position < MAX_LAST_KEYS && this.at - start === key.length + 1) lastKeys[position] = key
    return key
  }

  #items(depth: number): ParsedValue<T> {
    const out: ParsedValue<T>[] = []
    this.at++
    this.#space()
    if (this.#take("]")) return out
    do {
      out.push(this.value(depth + 1))
      this.#space()
    } while (this.#take(","))
    if (!this.#take("]")) throw this.#fail()
    return out
  }

  #stringValue(): ParsedValue<T> {
    const start = this.at
    const value = this.#string()
    return this.#ofText ? this.#ofText(value, this.at - start !== value.length + 2) : value
  }

  #string(): string {
    return this.#shortString() ?? this.#anyString()
  }

  /** Takes a short string without escapes, as most names are. */
  #shortString(): string | undefined {
    const text = this.#text
    const start = this.at + 1
    if (text.charCodeAt(this.at) !== QUOTE) throw this.#fail()
    for (let end = start; end < start + FIRST_SHARED_LENGTH; end++) {
      const code = text.charCodeAt(end)
      if (code === QUOTE) {
        this.at = end + 1
        return text.slice(start, end)
      }
      if (!(code >= FIRST_PLAIN) || code === BACKSLASH) return undefined
    }
    return undefined
  }

  #anyString(): string {
    const start = this.at
    let end = start
    do end = this.#text.indexOf('"', end + 1)
    while (end !== -1 && this.#isEscaped(start, end))
    if (end === -1) throw this.#fail()
    try {
      const value = JSON.parse(this.#text.slice(start, end + 1)) as string
      this.at = end + 1
      return value
    } catch {
      throw this.#fail()
    }
  }

  /** Returns whether the quote at `end` belongs to the string, because an odd number of backslashes precedes it. */
  #isEscaped(start: number, end: number): boolean {
    let at = end - 1
    while (at > start && this.#text[at] === "\\") at--
    return (end - 1 - at) % 2 === 1
  }

  #word<T extends Json>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.at)) throw this.#fail()
    this.at += word.length
    return value
  }

  /** Takes a number of digits alone, as most numbers are. */
  #digits(): string | undefined {
    const text = this.#text
    const start = this.at
    const end = endOfDigits(text, start)
    const isPlain = end > start && (text[start] !== "0" || end === start + 1) && !/[.eE]/.test(text[end] ?? "")
    if (!isPlain) return undefined
    this.at = end
    return text.slice(start, end)
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)
    if (!found) throw this.#fail()
    this.at += found[0].length
    return found[0]
  }

  #take(character: string): boolean {
    if (this.#text[this.at] !== character) return false
    this.at++
    return true
  }

  #space(): void {
    while (isSpace(this.#text.charCodeAt(this.at))) this.at++
  }

  #fail() {
    return jsonError("json.malformed", { offset: this.at })
  }
}
