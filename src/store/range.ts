import type { Range } from "../core/state/view.js"

/** The first key text that a range can hold. */
export function startOf({ prefix = "", from = "" }: Range): string {
  return from > prefix ? from : prefix
}

/** The first key text after all that a range can hold; none where the range goes on to the end. */
export function endOf({ prefix = "" }: Range): string | undefined {
  const trimmed = prefix.replace(/f+$/, "")
  if (trimmed === "") return undefined
  const last = Number.parseInt(trimmed.slice(-1), 16)
  return trimmed.slice(0, -1) + (last + 1).toString(16)
}

/** The same place between keys in whole bytes: no key stands between a text with an odd number of digits and this one. */
export function wholeBytes(text: string): string {
  return text.length % 2 === 0 ? text : `${text}0`
}
