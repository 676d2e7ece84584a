import { toHex } from "./bytes.js"

/** A JSON value in memory. Integers past 2^53 are bigints and print as bare digits. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Maps a type to itself if all its members print as JSON, however deep they lie. An interface has no index signature, so it is not
 * assignable to `Json` although its values are JSON. A member that does not print, such as a function, becomes `never`.
 */
export type JsonShape<T> = T extends Json | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly JsonShape<Item>[]
    : T extends (...args: never) => unknown
      ? never
      : { readonly [K in keyof T]: JsonShape<T[K]> }

/**
 * Prints a value as JSON text. A bigint is printed as its digits, and members that are `undefined` are omitted. Text is escaped as Go
 * escapes it, so that the output is byte by byte that of AvalancheGo.
 */
export function printJson<T>(value: T & JsonShape<T>, indent?: number): string {
  const json = (value ?? null) as Json
  return indent === undefined ? compact(json) : pretty(json, " ".repeat(indent), "\n")
}

function compact(value: Json): string {
  if (typeof value === "bigint") return value.toString()
  if (typeof value === "string") return quoted(value)
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  let out = ""
  if (isArray(value)) {
    for (const item of value) out += out === "" ? compact(item) : `,${compact(item)}`
    return `[${out}]`
  }
  for (const key in value) {
    const member = value[key]
    if (member === undefined) continue
    out += `${out === "" ? "" : ","}${quoted(key)}:${compact(member)}`
  }
  return `{${out}}`
}

/** Matches printable ASCII without quote, backslash and HTML's special characters. Most text is like this and printed unchanged. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/
function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  return htmlSafe(JSON.stringify(text))
}

/** Escapes characters in JSON text that are special in HTML or scripts, as Go's encoder does. */
export function htmlSafe(json: string): string {
  let safe = json
  for (const [character, text] of ESCAPES) safe = safe.replace(character, text)
  return safe
}

const ESCAPES = [..."<>&\u2028\u2029"].map((each) => {
  const code = each.charCodeAt(0).toString(16).padStart(4, "0")
  return [new RegExp(each, "g"), `\\u${code}`] as const
})

function pretty(value: Json, indent: string, newline: string): string {
  if (value === null || typeof value !== "object") return compact(value)
  const inner = newline + indent
  const parts: string[] = []
  if (isArray(value)) {
    for (const item of value) parts.push(pretty(item, indent, inner))
    return parts.length === 0 ? "[]" : `[${inner}${parts.join(`,${inner}`)}${newline}]`
  }
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) parts.push(`${quoted(key)}: ${pretty(member, indent, inner)}`)
  }
  return parts.length === 0 ? "{}" : `{${inner}${parts.join(`,${inner}`)}${newline}}`
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** Converts any value to JSON. Bytes become hex with `0x`, and values that JSON cannot express become null. */
export function jsonOf(value: unknown): Json {
  if (value instanceof Uint8Array) return `0x${toHex(value)}`
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, jsonOf(each)]))
  }
  return value === undefined || typeof value === "function" || typeof value === "symbol" ? null : (value as Json)
}
