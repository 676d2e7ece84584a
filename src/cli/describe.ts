import { escapeLine } from "../core/lib/escapeControls.js"
import { type Invalid, withData } from "../core/lib/invalid.js"
import type { Json } from "../core/lib/json.js"

/** Prints a refusal on one line: code, sentence, and its data. */
export function describeInvalid({ code, sentence, data }: Invalid): string {
  const { didYouMean, ...others } = data
  const hint = didYouMean === undefined ? "" : `. Did you mean ${didYouMean}?`
  return escapeLine(`${code}: ${withData(code, sentence, others)}${hint}`)
}

/** A refusal as JSON, for commands that answer line by line. */
export function invalidJson(error: Invalid): { readonly [key: string]: Json } {
  return { code: error.code, message: error.sentence, data: error.data as { readonly [key: string]: Json } }
}
