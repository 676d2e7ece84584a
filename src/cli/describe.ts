import { withUnit } from "../core/lib/dataUnits.js"
import { escapeLine } from "../core/lib/escapeControls.js"
import type { Invalid } from "../core/lib/invalid.js"
import { type Json, printJson } from "../core/lib/json.js"

const MAX_VALUE = 200

/** Members of data from which AvalancheGo's message is made. On one line they would only repeat the sentence. */
const FOR_REFERENCE = ["reference", "reading"]

/** Prints a refusal on one line: code, sentence, and its data. */
export function describeInvalid(error: Invalid): string {
  const { didYouMean, ...others } = error.data
  const data = Object.entries(others).filter(
    ([name, value]) => !FOR_REFERENCE.includes(name) && value !== undefined && value !== "",
  )
  const shown = data.map(([name, value]) => `${name}: ${withUnit(error.code, name, error.data) ?? shownValue(value)}`)
  const details = shown.length === 0 ? "" : ` (${shown.join(", ")})`
  const hint = didYouMean === undefined ? "" : `. Did you mean ${didYouMean}?`
  return escapeLine(`${error.code}: ${error.sentence}${details}${hint}`)
}

function shownValue(value: unknown): string {
  const text = typeof value === "string" && !/[\n\r"]/.test(value) ? value : printJson(value as Json)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

/** A refusal as JSON, for commands that answer line by line. */
export function invalidJson(error: Invalid): { readonly [key: string]: Json } {
  return { code: error.code, message: error.sentence, data: error.data as { readonly [key: string]: Json } }
}
