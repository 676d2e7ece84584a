import { type JsonEvents, JsonScanner } from "./go/goScan.js"
import { afterSpace, ScanFault, unexpectedCharacter } from "./go/goTokens.js"
import { refusals } from "./invalid.js"
import type { Json } from "./json.js"

export const jsonError = refusals({
  "json.malformed": "the text is not JSON",
  "json.too_deep": "the JSON is nested too deeply",
  "json.too_many_values": "the JSON holds too many values",
})

export type NumberReader = (text: string) => Json

/** The maximum number of digits of a number that is read exactly, because reading takes time. */
const MAX_DIGITS = 1000

/** Reads integers exactly: as numbers up to 53 bits, as bigints beyond (as infinity above a thousand digits). */
const exactNumber: NumberReader = (text) => {
  const value = Number(text)
  if (Number.isSafeInteger(value) || text.length > MAX_DIGITS) return value
  return /^-?\d+$/.test(text) ? BigInt(text) : value
}

/** A value of `parseJsonAs`. `T` is the type of the values that replace strings and objects. */
export type ParsedValue<T> = Json | T | readonly ParsedValue<T>[] | { readonly [key: string]: ParsedValue<T> }

export interface ParseOptions<T = never> {
  readonly number?: NumberReader
  /** Limit of nested arrays and objects; 512 by default. */
  readonly maxDepth?: number
  /** The number of values that may still be read, here and in other texts; no limit by default. */
  readonly left?: { values: number }
  /** Replaces each string; receives its value and whether it has escapes. */
  readonly text?: (value: string, hasEscapes: boolean) => ParsedValue<T>
  /** Replaces each object; receives its members in order, with all of several equal keys. */
  readonly object?: (entries: [string, ParsedValue<T>][]) => ParsedValue<T>
  /** Puts a member into an object, unless `object` is given. Members come in order, with all of several equal keys. */
  readonly put?: (members: Record<string, ParsedValue<T>>, key: string, value: ParsedValue<T>) => void
}

/** Reads JSON text without rounding integers. Throws `json.malformed` with the offset. */
export function parseJson(text: string, options: ParseOptions = {}): Json {
  return parseJsonAs(text, options)
}

/** Does the same with values of other types in place of strings and objects. */
export function parseJsonAs<T>(text: string, options: ParseOptions<T>): ParsedValue<T> {
  const builder = new ValueBuilder(text, options)
  try {
    const end = new JsonScanner(text, builder).step(Number.POSITIVE_INFINITY) as number
    if (afterSpace(text, end) < text.length) throw unexpectedCharacter(text, afterSpace(text, end), "after top-level value")
    return builder.value as ParsedValue<T>
  } catch (error) {
    throw error instanceof ScanFault ? jsonError("json.malformed", { offset: error.offset }) : error
  }
}

/** A string from this length on is copied, because a part of a text of this length would keep the whole text in memory. */
const FIRST_SHARED_LENGTH = 13

function putMember<V>(members: Record<string, V>, key: string, value: V): void {
  // A plain assignment to this one key would change the prototype.
  if (key === "__proto__") Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true })
  else members[key] = value
}

/** An object or a list that is being read: a list has items, an object has entries or members. */
interface OpenValue<V> {
  readonly items: V[] | undefined
  readonly entries: [string, V][] | undefined
  readonly members: Record<string, V> | undefined
  readonly outer: OpenValue<V> | undefined
  /** The key of the member that is being read. */
  key: string
}

/** Makes a value of the parts that the scanner reports. */
class ValueBuilder<T> implements JsonEvents {
  value: ParsedValue<T> | undefined
  readonly #text: string
  readonly #options: ParseOptions<T>
  readonly #number: NumberReader
  readonly #put: NonNullable<ParseOptions<T>["put"]>
  readonly #maxDepth: number
  readonly #left: { values: number } | undefined
  #open: OpenValue<ParsedValue<T>> | undefined
  #depth = 0

  constructor(text: string, options: ParseOptions<T>) {
    this.#text = text
    this.#options = options
    this.#number = options.number ?? exactNumber
    this.#put = options.put ?? putMember
    this.#maxDepth = options.maxDepth ?? 512
    this.#left = options.left
  }

  open(isObject: boolean, at: number): void {
    this.#count(at)
    this.#depth++
    const hasEntries = this.#options.object !== undefined
    this.#open = {
      items: isObject ? undefined : [],
      entries: isObject && hasEntries ? [] : undefined,
      members: isObject && !hasEntries ? {} : undefined,
      outer: this.#open,
      key: "",
    }
  }

  key(start: number, end: number): void {
    if (this.#open) this.#open.key = this.#stringAt(start, end)
  }

  scalar(start: number, end: number): void {
    this.#count(start)
    this.#add(this.#scalarAt(start, end))
  }

  close(): void {
    const { items, entries, members, outer } = this.#open as OpenValue<ParsedValue<T>>
    this.#open = outer
    this.#depth--
    this.#add(items ?? members ?? (this.#options.object?.(entries ?? []) as ParsedValue<T>))
  }

  #count(at: number): void {
    if (this.#depth > this.#maxDepth) throw jsonError("json.too_deep", { offset: at, limit: this.#maxDepth })
    if (this.#left && this.#left.values-- <= 0) throw jsonError("json.too_many_values", { offset: at })
  }

  #add(value: ParsedValue<T>): void {
    const into = this.#open
    if (!into) this.value = value
    else if (into.items) into.items.push(value)
    else if (into.members) this.#put(into.members, into.key, value)
    else into.entries?.push([into.key, value])
  }

  #scalarAt(start: number, end: number): ParsedValue<T> {
    switch (this.#text[start]) {
      case '"': {
        const value = this.#stringAt(start, end)
        return this.#options.text ? this.#options.text(value, end - start !== value.length + 2) : value
      }
      case "t":
        return true
      case "f":
        return false
      case "n":
        return null
      default:
        return this.#number(this.#text.slice(start, end))
    }
  }

  #stringAt(start: number, end: number): string {
    const quoted = this.#text.slice(start, end)
    return quoted.length <= FIRST_SHARED_LENGTH && !quoted.includes("\\") ? quoted.slice(1, -1) : (JSON.parse(quoted) as string)
  }
}
