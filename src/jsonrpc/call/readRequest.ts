import { goQuote } from "../../core/lib/go/goQuote.js"
import { type Part, SCANNED_AT_ONCE, type ScanResult, scan, scanWithPauses } from "../../core/lib/go/goScan.js"
import { foldedName } from "../../core/lib/go/goText.js"
import { afterSpace, ScanFault } from "../../core/lib/go/goTokens.js"
import { compacted, decoded, decodedWithPauses, textOf } from "../../core/lib/go/scannedText.js"
import { Invalid } from "../../core/lib/invalid.js"
import { htmlSafe } from "../../core/lib/json.js"
import type { Pace } from "../../core/lib/pace.js"
import { type ParsedValue, type ParseOptions, parseJsonAs } from "../../core/lib/parseJson.js"
import { latin1Text } from "../printedJson.js"
import { EscapedText, JsonMembers } from "../schema/jsonMembers.js"
import { badParam, type Members, type ObjectParam, type ObjectValue, type ParseContext, unknownParam } from "../schema/param.js"

/** A request, as far as it could be read. */
export interface Request {
  readonly jsonrpc: string
  readonly method: string
  /** JSON text; `undefined` if it is missing or null. */
  readonly params: string | undefined
  /** The members of the parameters, if they were found before, because the text is long. */
  readonly paramParts?: readonly Part[]
  /** JSON text as it is sent back, digit by digit; `undefined` if it is missing or null, which makes the request a notification. */
  readonly id: string | undefined
  /** The reason why the body is not a request, in Go's words: a syntax error, or a member of the wrong type. */
  readonly fault?: { readonly reason: string; readonly offset?: number; readonly expected?: string }
}

/** The content of a body: one request, or (as a JSON array) several. */
export type Envelope =
  | { readonly kind: "single"; readonly request: Request }
  /** The requests are read one by one. `items` has at most `MAX_PARTS` of them. */
  | { readonly kind: "batch"; readonly text: string; readonly items: readonly Part[] }

const EMPTY_REQUEST: Request = { jsonrpc: "", method: "", params: undefined, id: undefined }

/** A body of more bytes is read with pauses. */
export const SHORT_BODY = SCANNED_AT_ONCE

/**
 * Reads the JSON-RPC envelope of a short body as AvalancheGo does: it uses the first JSON value and ignores whatever
 * follows.
 */
export function readEnvelope(body: Uint8Array): Envelope {
  const text = latin1Text(body)
  const scanned = scan(text)
  return asBatch(text, scanned) ?? { kind: "single", request: requestIn(text, scanned) }
}

/** Does the same with pauses, for a body that may be long. */
export async function readLongEnvelope(body: Uint8Array, pace: Pace): Promise<Envelope> {
  const text = latin1Text(body)
  const scanned = await scanWithPauses(text, pace)
  return asBatch(text, scanned) ?? { kind: "single", request: await longRequestIn(text, scanned, pace) }
}

/** Reads one request of a batch. A list is not a request. */
export async function readItem(text: string, { start }: Part, pace: Pace): Promise<Request> {
  return longRequestIn(text, await scanWithPauses(text, pace, start), pace)
}

function asBatch(text: string, scanned: ScanResult | ScanFault): Envelope | undefined {
  if (scanned instanceof ScanFault || text[scanned.start] !== "[") return undefined
  return { kind: "batch", text, items: scanned.parts }
}

/** Makes a request of a value with long parts, which are decoded with pauses. */
async function longRequestIn(text: string, scanned: ScanResult | ScanFault, pace: Pace): Promise<Request> {
  const decodedParts = new Map<Part, string>()
  for (const part of scanned instanceof ScanFault ? [] : scanned.parts) {
    if (part.end - part.start <= SCANNED_AT_ONCE) continue
    decodedParts.set(part, await decodedWithPauses(text.slice(part.start, part.end), pace))
  }
  const request = requestIn(text, scanned, (part) => decodedParts.get(part) ?? decodedPart(text, part))
  const { params } = request
  if (params === undefined || params.length <= SCANNED_AT_ONCE) return request
  const start = objectStart(params)
  return params[start] === "{" ? { ...request, paramParts: partsOf(await scanWithPauses(params, pace, start)) } : request
}

const decodedPart = (text: string, { start, end }: Part): string => decoded(text.slice(start, end))

/** Makes a request of the parts of a value. */
function requestIn(
  text: string,
  scanned: ScanResult | ScanFault,
  jsonOf: (part: Part) => string = (part) => decodedPart(text, part),
): Request {
  if (scanned instanceof ScanFault) return { ...EMPTY_REQUEST, fault: scanned }
  const kind = kindOf(text, scanned.start)
  if (kind !== "object") {
    const reason = `json: cannot unmarshal ${kind} into Go value of type json2.serverRequest`
    return kind === "null" ? EMPTY_REQUEST : { ...EMPTY_REQUEST, fault: { reason } }
  }
  let { jsonrpc, method, params, id } = EMPTY_REQUEST
  let fault: Request["fault"]
  const textMember = (part: Part, json: string, name: string, before: string): string => {
    const found = kindOf(text, part.start)
    if (found === "string") return textOf(json)
    if (found !== "null")
      fault ??= { reason: `json: cannot unmarshal ${found} into Go struct field serverRequest.${name} of type string` }
    return before
  }
  for (const part of scanned.parts) {
    const name = memberOf(textOf(decoded(part.key)))
    if (name === undefined) continue
    const json = jsonOf(part)
    const raw = json === "null" ? undefined : json
    if (name === "jsonrpc") jsonrpc = textMember(part, json, name, jsonrpc)
    else if (name === "method") method = textMember(part, json, name, method)
    else if (name === "params") params = raw
    else id = raw
  }
  if (id !== undefined && id.length > MAX_ID) {
    id = undefined
    fault ??= { reason: "json: the id is too long", expected: `an id of at most ${MAX_ID} characters` }
  }
  if (id !== undefined) id = echoed(id)
  return fault ? { jsonrpc, method, params, id, fault } : { jsonrpc, method, params, id }
}

/** Returns JSON text as Go sends it back: without white space, and safe in HTML. */
export function echoed(json: string): string {
  return PLAIN_ID.test(json) ? json : htmlSafe(compacted(json))
}

/** Matches most IDs: numbers, and texts that contain nothing to remove or escape. */
const PLAIN_ID = /^(?:[-+.\w]+|"[\w-]*")$/

/** The maximum length of an ID that is sent back, in characters. Making 4 MB safe in HTML would take 140 ms. */
const MAX_ID = 1 << 16

const MEMBERS = ["jsonrpc", "method", "params", "id"] as const

/** Names match in any letter case. */
function memberOf(key: string): (typeof MEMBERS)[number] | undefined {
  const named = (wanted: string) => MEMBERS.find((name) => name === wanted)
  return named(key) ?? named(foldedName(key))
}

type Kind = "object" | "array" | "string" | "number" | "bool" | "null"

function kindOf(text: string, at: number): Kind {
  switch (text[at]) {
    case "{":
      return "object"
    case "[":
      return "array"
    case '"':
      return "string"
    case "t":
    case "f":
      return "bool"
    case "n":
      return "null"
    default:
      return "number"
  }
}

/** The name of a method as AvalancheGo looks it up, or its message about a name that it cannot look up. */
export type RequestedMethod =
  | { readonly kind: "name"; readonly service: string; readonly method: string; readonly quoted: string }
  | { readonly kind: "ill-formed"; readonly quoted: string }
  | { readonly kind: "upper-case" }

/** Splits the name of a method at its only dot. The first letter after the dot must not be upper case. */
export function readMethodName(name: string): RequestedMethod {
  const dot = name.indexOf(".")
  if (dot < 0) return { kind: "ill-formed", quoted: goQuote(name) }
  const service = name.slice(0, dot)
  const method = name.slice(dot + 1)
  const first = String.fromCodePoint(method.codePointAt(0) ?? 0)
  if (/\p{Lu}/u.test(first)) return { kind: "upper-case" }
  const shown = goQuote(method === "" ? name : `${service}.${upper(first)}${method.slice(first.length)}`)
  return method.includes(".") ? { kind: "ill-formed", quoted: shown } : { kind: "name", service, method, quoted: shown }
}

/** Converts one letter to upper case, unless its upper case has several letters. */
function upper(letter: string): string {
  const large = letter.toUpperCase()
  return [...large].length === 1 ? large : letter
}

/** The maximum number of digits of a number that is read exactly. No parameter has more, and millions of digits would take seconds. */
const MAX_DIGITS = 1000

/** The maximum depth of nested parameters. Deeper values are refused without being read. */
const MAX_DEPTH = 16

/**
 * The maximum number of values in the parameters of a call: eight in each item of the longest list. A body of zeroes would hold many times
 * as many. The bound makes reading short work.
 */
const MAX_VALUES = 32_768

/** The values of parameters that are not JSON. */
type OwnValue = JsonMembers | EscapedText

const options: ParseOptions<OwnValue> = {
  // Integers in plain digits are bigints, which distinguishes them from 1.0 and 1e3.
  number: (text) => (text.length <= MAX_DIGITS && /^\d+$/.test(text) ? BigInt(text) : Number(text)),
  object: (entries) => new JsonMembers(entries),
  maxDepth: MAX_DEPTH,
}

const avalanchegoOptions: ParseOptions<OwnValue> = {
  ...options,
  text: (value, hasEscapes) => (hasEscapes ? new EscapedText(value) : value),
}

/**
 * Reads the parameters of a request, whose JSON text is known to be well formed: missing, an object, or a list whose first item is that
 * object and whose other items are ignored. It reads only members that the method knows, and ignores or refuses others, as `as` says.
 * Throws `rpc.bad_param`, `rpc.missing_param` or `rpc.unknown_param`.
 */
export function readParams<M extends Members>(
  { params: text, paramParts }: Pick<Request, "params" | "paramParts">,
  param: ObjectParam<M>,
  as: ParseContext,
): ObjectValue<M> {
  if (text === undefined) return param.fromJson({}, as)
  const start = objectStart(text)
  // The parameters are null, a list without items, or a list that begins with null.
  if (text[start] === "n" || text[start] === "]") return param.fromJson({}, as)
  if (text[start] !== "{") throw badParam(undefined, "an object")
  const entries: [string, unknown][] = []
  const left = { values: MAX_VALUES }
  for (const part of paramParts ?? partsOf(scan(text, start))) {
    const name = textOf(part.key)
    if (isKnown(name, param, as)) entries.push([name, parsed(text.slice(part.start, part.end), name, as, left)])
  }
  return param.fromJson(new JsonMembers(entries), as)
}

/** Returns where the object in the text of parameters starts, if they are an object or a list that begins with one. */
function objectStart(text: string): number {
  const start = afterSpace(text, 0)
  return text[start] === "[" ? afterSpace(text, start + 1) : start
}

/** Returns whether the method has a parameter. Throws `rpc.unknown_param` if it has not and others are refused. */
function isKnown<M extends Members>(name: string, param: ObjectParam<M>, { unknownMembers }: ParseContext): boolean {
  if (param.knows(name)) return true
  if (unknownMembers === "refused") throw unknownParam(name, name, Object.keys(param.members))
  return false
}

function partsOf(scanned: ScanResult | ScanFault): readonly Part[] {
  if (scanned instanceof ScanFault) throw new Error(`the parameters are not JSON: ${scanned.reason}`)
  return scanned.parts
}

function parsed(text: string, name: string, { dialect }: ParseContext, left: { values: number }): ParsedValue<OwnValue> {
  try {
    return parseJsonAs(text, { ...(dialect === "avalanchego" ? avalanchegoOptions : options), left })
  } catch (error) {
    throw error instanceof Invalid ? badParam(name, "fewer values, not nested so deeply", error.sentence) : error
  }
}
