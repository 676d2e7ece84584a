import { isFlatObject } from "./flatObject.js"
import type { Request } from "./request.js"

/** The maximum length of a plain request, in characters. A longer text may be nested more deeply than Go's 10,000 levels. */
const MAX_LENGTH = 1 << 13

/** Longer IDs are left to `envelope.ts`, which refuses those that are too long. */
const ID = '"id": ?(0|[1-9]\\d{0,15}|"[\\w-]{0,64}")'
const METHOD = '"method": ?"([\\w.]+)"'
/** An object or a list. `isPlainJson` checks its content. */
const PARAMS = '"params": ?([{[][\\x20-\\x7e]*[}\\]])'

/** The two orders of members in which most clients write requests. */
const ID_FIRST = new RegExp(`^\\{"jsonrpc": ?"2\\.0", ?${ID}, ?${METHOD}(?:, ?${PARAMS})?\\}\\n?$`)
const ID_LAST = new RegExp(`^\\{"jsonrpc": ?"2\\.0", ?${METHOD}(?:, ?${PARAMS})?, ?${ID}\\}\\n?$`)

/**
 * Reads a short request of the form in which most clients write them, in a fifth of the time that reading any JSON takes. The result is the
 * same. Returns `undefined` for other bodies.
 */
export function plainRequest(text: string): Request | undefined {
  if (text.length > MAX_LENGTH) return undefined
  let [, id, method, params] = ID_FIRST.exec(text) ?? []
  if (method === undefined) [, method, params, id] = ID_LAST.exec(text) ?? []
  if (method === undefined || !isPlainJson(params)) return undefined
  return { jsonrpc: "2.0", method, params, id }
}

/**
 * Returns whether the parameters are one JSON value. If they are not, they are malformed, or the pattern found their end at the wrong
 * place.
 */
function isPlainJson(text: string | undefined): boolean {
  if (text === undefined || text === "{}" || text === "[]" || isFlatObject(text)) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
