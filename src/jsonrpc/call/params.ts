import { SCANNED_AT_ONCE, type ScanResult, scanFirst, scanInSteps } from "../../core/lib/go/goScan.js"
import { ScanFault } from "../../core/lib/go/goTokens.js"
import { textOf } from "../../core/lib/go/scannedText.js"
import { Invalid } from "../../core/lib/invalid.js"
import { type ParsedValue, type ParseOptions, parseJsonWith } from "../../core/lib/parseJson.js"
import type { MaybeWork, Work } from "../../core/lib/work.js"
import { EscapedText, JsonMembers } from "../schema/jsonMembers.js"
import { badParam, type Members, type ObjectParam, type ObjectValue, type ParseContext, unknownParam } from "../schema/param.js"

/** The maximum number of digits of a number that is read exactly. No parameter has more, and millions of digits would take seconds. */
const MAX_DIGITS = 1000

/** The maximum depth of nested parameters. Deeper values are refused without being read. */
const MAX_DEPTH = 16

/**
 * The maximum number of values in all lists of a call together: eight in each item of the longest list. They are read in one step, which takes
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
 * Throws `rpc.bad_param`, `rpc.missing_param` or `rpc.unknown_param`.
 */
export function readParams<M extends Members>(
  text: string | undefined,
  param: ObjectParam<M>,
  as: ParseContext,
): MaybeWork<ObjectValue<M>> {
  if (text === undefined) return param.fromJson({}, as)
  return text.length <= SCANNED_AT_ONCE ? paramsOf(text, scanFirst(text), param, as) : readLong(text, param, as)
}

function* readLong<M extends Members>(text: string, param: ObjectParam<M>, as: ParseContext): Work<ObjectValue<M>> {
  const whole = yield* scanInSteps(text)
  yield
  return paramsOf(text, whole, param, as)
}

function paramsOf<M extends Members>(
  text: string,
  whole: ScanResult | ScanFault,
  param: ObjectParam<M>,
  as: ParseContext,
): ObjectValue<M> {
  const part = objectIn(text, found(whole))
  if (part === undefined) return param.fromJson({}, as)
  const entries: [string, unknown][] = []
  for (const { key, start, end } of part.parts) {
    const name = textOf(key)
    if (param.knows(name)) entries.push([name, parsedValue(text.slice(start, end), name, as)])
    else if (as.unknownMembers === "refused") throw unknownParam(name, name, param)
  }
  return param.fromJson(new JsonMembers(entries), as)
}

/** Returns the object in the text of parameters; `undefined` for null and for an empty list. */
function objectIn(text: string, whole: ScanResult): ScanResult | undefined {
  const [first] = whole.parts
  const isList = text[whole.start] === "["
  if (isList && !first) return undefined
  const part = isList ? found(scanFirst(text, first?.start ?? 0)) : whole
  if (text[part.start] === "n") return undefined
  if (text[part.start] !== "{") throw badParam(undefined, "an object")
  return part
}

function found(scanned: ScanResult | ScanFault): ScanResult {
  if (scanned instanceof ScanFault) throw badParam(undefined, "JSON", scanned.reason)
  return scanned
}

function parsedValue(text: string, name: string, { dialect }: ParseContext): ParsedValue<OwnValue> {
  try {
    return parseJsonWith(text, dialect === "avalanchego" ? avalanchegoOptions : options)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw badParam(name, "fewer values, not nested so deeply", error.sentence)
  }
}
