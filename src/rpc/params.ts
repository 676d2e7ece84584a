import { type Json, type ParseOptions, parseFirstJson } from "../lib/json.js"
import { type Scanned, scanFirst } from "./goScan.js"
import { type Asked, EscapedText, JsonMembers, type Members, type ObjectParam, type ObjectValue } from "./schema.js"

/** More digits than any parameter has: reading millions of them exactly would take seconds. */
const MAX_DIGITS = 1000

/** Deeper than any parameter is nested: what is deeper stands in a member that nobody asks for, or is refused as it is. */
const MAX_DEPTH = 16

const options: ParseOptions = {
  // Integers in plain digits are bigints, so that they can be told from 1.0 and 1e3.
  number: (text) => (text.length <= MAX_DIGITS && /^\d+$/.test(text) ? BigInt(text) : Number(text)),
  object: (entries) => new JsonMembers(entries) as unknown as Json,
  maxDepth: MAX_DEPTH,
  endOfDeeper: (text, at) => (scanFirst(text, at) as Scanned).end,
}

const avalanchegoOptions: ParseOptions = {
  ...options,
  text: (value, hasEscapes) => (hasEscapes ? (new EscapedText(value) as unknown as Json) : value),
}

/**
 * The parameters of a call from their JSON text: missing, an object, or a list whose first item is that object and whose others are
 * ignored. Throws `rpc.bad_param` or `rpc.missing_param`.
 */
export function readParams<M extends Members>(text: string | undefined, param: ObjectParam<M>, as: Asked): ObjectValue<M> {
  if (text === undefined) return param.fromJson({}, as)
  const json = parseFirstJson(text, as.dialect === "avalanchego" ? avalanchegoOptions : options).value
  const given = (Array.isArray(json) ? json[0] : json) ?? {}
  return param.fromJson(given, as)
}
