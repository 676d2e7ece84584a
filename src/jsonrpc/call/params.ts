import { Invalid } from "../../core/lib/invalid.js"
import { type Json, type ParseOptions, parseJson } from "../../core/lib/json.js"
import type { Work } from "../../core/lib/work.js"
import { EscapedText, JsonMembers } from "../schema/jsonMembers.js"
import { badParam, type Members, type ObjectParam, type ObjectValue, type ParseContext } from "../schema/param.js"
import { ScanFault, type Scanned, scanFirst, textOf } from "./goScan.js"

/** More digits than any parameter has: reading millions of them exactly would take seconds. */
const MAX_DIGITS = 1000

/** Deeper than any parameter is nested. What is deeper is refused as it is, whatever it holds. */
const MAX_DEPTH = 16

/** More values than all lists of a method may have together; a body of zeroes holds ten times as many. */
const MAX_VALUES = 65_536

const options: ParseOptions = {
  // Integers in plain digits are bigints, so that they can be told from 1.0 and 1e3.
  number: (text) => (text.length <= MAX_DIGITS && /^\d+$/.test(text) ? BigInt(text) : Number(text)),
  object: (entries) => new JsonMembers(entries) as unknown as Json,
  maxDepth: MAX_DEPTH,
  maxValues: MAX_VALUES,
}

const avalanchegoOptions: ParseOptions = {
  ...options,
  text: (value, hasEscapes) => (hasEscapes ? (new EscapedText(value) as unknown as Json) : value),
}

/**
 * The parameters of a call from their JSON text, which is known to be well formed: missing, an object, or a list whose first item is
 * that object and whose others are ignored. Only members that the method knows are read. Throws `rpc.bad_param` or `rpc.missing_param`.
 */
export function* readParams<M extends Members>(
  text: string | undefined,
  param: ObjectParam<M>,
  as: ParseContext,
): Work<ObjectValue<M>> {
  const part = text === undefined ? undefined : yield* objectIn(text)
  if (text === undefined || part === undefined) return param.fromJson({}, as)
  const entries: [string, unknown][] = []
  for (const { key, start, end } of part.parts) {
    const name = textOf(key)
    if (!param.knows(name)) continue
    entries.push([name, parsedValue(text.slice(start, end), name, as)])
    yield
  }
  return param.fromJson(new JsonMembers(entries), as)
}

/** The object in the text of parameters; `undefined` for null, and where a list holds nothing. */
function* objectIn(text: string): Work<Scanned | undefined> {
  const whole = yield* scanned(text, 0)
  const [first] = whole.parts
  const isList = text[whole.start] === "["
  if (isList && !first) return undefined
  const part = isList ? yield* scanned(text, first?.start ?? 0) : whole
  if (text[part.start] === "n") return undefined
  if (text[part.start] !== "{") throw badParam(undefined, "an object")
  return part
}

function* scanned(text: string, from: number): Work<Scanned> {
  const part = yield* scanFirst(text, from)
  if (part instanceof ScanFault) throw badParam(undefined, "JSON", part.reason)
  return part
}

function parsedValue(text: string, name: string, { dialect }: ParseContext): Json {
  try {
    return parseJson(text, dialect === "avalanchego" ? avalanchegoOptions : options)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw badParam(name, "fewer values, not nested so deeply", error.sentence)
  }
}
