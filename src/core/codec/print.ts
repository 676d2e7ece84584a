import { type Json, printJson } from "../lib/json.js"
import type { JsonWriter, TextFormat } from "./schema.js"

/** Prints values as JSON text: the same text as `printJson` of their `toJson`, in half the time. */
export function printerOf<T, J>({
  print,
  toJson,
}: Pick<JsonWriter<T, J>, "print" | "toJson">): (value: T, as: TextFormat) => string {
  return print ?? ((value, as) => printJson(toJson(value, as) as Json))
}

/** One member of an object that is printed. */
export interface PrintedMember {
  readonly name: string
  readonly print: (value: never, as: TextFormat) => string
  /** True where the printer is given the whole object, and not the member of this name. */
  readonly isOfWhole?: boolean
  /** True where the member is left out if it is `undefined`. */
  readonly isOptional?: boolean
}

/** Makes the printer of an object: names and punctuation are ready, and each call site meets one printer. */
export function compilePrinter<T>(members: readonly PrintedMember[]): (value: T, as: TextFormat) => string {
  if (members.length === 0) return () => "{}"
  const hasFirst = !members[0]?.isOptional
  const printed = members.map(({ name, isOfWhole, isOptional }, i) => {
    const given = isOfWhole ? "value" : `value[${JSON.stringify(name)}]`
    const text = `${JSON.stringify(`${i === 0 && hasFirst ? "{" : ","}${JSON.stringify(name)}:`)} + p${i}(${given}, as)`
    return isOptional ? `(${given} === undefined ? "" : ${text})` : text
  })
  const all = printed.join(" + ")
  const body = hasFirst ? `${all} + "}"` : `"{" + (${all}).slice(1) + "}"`
  const make = new Function(...members.map((_, i) => `p${i}`), `return function print(value, as) { return ${body} }`)
  return make(...members.map(({ print }) => print))
}
