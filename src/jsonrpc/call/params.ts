import { SCANNED_AT_ONCE, type ScanResult, scanInSteps } from "../../core/lib/go/goScan.js"
import { ScanFault } from "../../core/lib/go/goTokens.js"
import { textOf } from "../../core/lib/go/scannedText.js"
import { Invalid } from "../../core/lib/invalid.js"
import { type ParsedValue, type ParseOptions, parseJsonInSteps } from "../../core/lib/parseJson.js"
import type { Work } from "../../core/lib/work.js"
import { EscapedText, JsonMembers } from "../schema/jsonMembers.js"
import { badParam, type Members, type ObjectParam, type ObjectValue, type ParseContext, unknownParam } from "../schema/param.js"

/** The maximum number of digits of a number that is read exactly. No parameter has more, and millions of digits would take seconds. */
const MAX_DIGITS = 1000

/** The maximum depth of nested parameters. Deeper values are refused without being read. */
const MAX_DEPTH = 16

/**
 * The maximum number of values in a parameter: eight in each item of the longest list. Parameters of up to 128 KiB are read in one step, which takes
 * 30 ms of a slow processor. A body of zeroes would hold many times as many.
 */
const MAX_VALUES = 32_768

/** The values of parameters that are not JSON. */
type OwnValue = JsonMembers | EscapedText

const options: ParseOptions<OwnValue> = {
  // Integers in plain digits are bigints, which distinguishes them from 1.0 and 1e3.
  number: (text) => (text.length <= MAX_DIGITS && /^\d+$/.test(text) ? BigInt(text) : Number(text)),
  object: (entries) => new JsonMembers(entries),
  maxDepth: MAX_DEPTH,
  maxValues: MAX_VALUES,
}

const avalanchegoOptions: ParseOptions<OwnValue> = {
  ...options,
  text: (value, hasEscapes) => (hasEscapes ? new EscapedText(value) : value),
}

/**
 * Reads the parameters of a call from their JSON text, which is known to be well formed: missing, an object, or a list whose first item is
 * that object and whose other items are ignored. It reads only members that the method knows, and ignores or refuses others, as `as` says.
 * Long parameters are read in steps. Throws `rpc.bad_param`, `rpc.missing_param` or `rpc.unknown_param`.
 */
export function* readParams<M extends Members>(
  text: string | undefined,
  param: ObjectParam<M>,
  as: ParseContext,
): Work<ObjectValue<M>> {
  if (text === undefined) return param.fromJson({}, as)
  const whole = found(yield* scanInSteps(text))
  const start = objectStart(text, whole)
  if (start === undefined) return param.fromJson({}, as)
  const { parts } = start === whole.start ? whole : found(yield* scanInSteps(text, start))
  const entries: [string, unknown][] = []
  for (const part of parts) {
    if (text.length > SCANNED_AT_ONCE) yield
    const name = textOf(part.key)
    if (isKnown(name, param, as)) entries.push([name, yield* parsed(text.slice(part.start, part.end), name, as)])
  }
  return param.fromJson(new JsonMembers(entries), as)
}

/** Returns where the object in the text of parameters starts; `undefined` for null and for an empty list. */
function objectStart(text: string, { start, parts }: ScanResult): number | undefined {
  const at = text[start] === "[" ? parts[0]?.start : start
  if (at === undefined || text[at] === "n") return undefined
  if (text[at] !== "{") throw badParam(undefined, "an object")
  return at
}

/** Returns whether the method has a parameter. Throws `rpc.unknown_param` if it has not and others are refused. */
function isKnown<M extends Members>(name: string, param: ObjectParam<M>, { unknownMembers }: ParseContext): boolean {
  if (param.knows(name)) return true
  if (unknownMembers === "refused") throw unknownParam(name, name, param)
  return false
}

function found(scanned: ScanResult | ScanFault): ScanResult {
  if (scanned instanceof ScanFault) throw badParam(undefined, "JSON", scanned.reason)
  return scanned
}

function* parsed(text: string, name: string, { dialect }: ParseContext): Work<ParsedValue<OwnValue>> {
  try {
    return yield* parseJsonInSteps(text, dialect === "avalanchego" ? avalanchegoOptions : options)
  } catch (error) {
    throw error instanceof Invalid ? badParam(name, "fewer values, not nested so deeply", error.sentence) : error
  }
}
