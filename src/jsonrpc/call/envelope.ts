import { goQuote } from "../../core/lib/go/goQuote.js"
import { type Part, SCANNED_AT_ONCE, type ScanResult, scanFirst, scanInSteps } from "../../core/lib/go/goScan.js"
import { foldedName } from "../../core/lib/go/goText.js"
import { ScanFault } from "../../core/lib/go/goTokens.js"
import { compacted, decoded, decodedInSteps, textOf } from "../../core/lib/go/scannedText.js"
import { htmlSafe } from "../../core/lib/json.js"
import type { MaybeWork, Work } from "../../core/lib/work.js"
import { plainRequest } from "./plainRequest.js"
import type { Request } from "./request.js"

/** The content of a body: one request, or (as a JSON array) several. */
export type Envelope =
  | { readonly kind: "single"; readonly request: Request }
  /** `size` counts at most `MAX_PARTS` requests. They are read one by one, so that other work can run in between. */
  | { readonly kind: "batch"; readonly size: number; requestAt(index: number): MaybeWork<Request> }

const EMPTY_REQUEST: Request = { jsonrpc: "", method: "", params: undefined, id: undefined }

/** Reads the JSON-RPC envelope as AvalancheGo does (api.md §1.4): it uses the first JSON value and ignores whatever follows. */
export function readEnvelope(body: Uint8Array): MaybeWork<Envelope> {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  if (text.length > SCANNED_AT_ONCE) return readLong(text)
  const request = plainRequest(text)
  return request ? { kind: "single", request } : envelopeOf(text, scanFirst(text))
}

function* readLong(text: string): Work<Envelope> {
  const scanned = yield* scanInSteps(text)
  if (scanned instanceof ScanFault || text[scanned.start] === "[") return envelopeOf(text, scanned)
  return { kind: "single", request: yield* longRequestOf(text, scanned) }
}

function envelopeOf(text: string, scanned: ScanResult | ScanFault): Envelope {
  if (scanned instanceof ScanFault) return { kind: "single", request: { ...EMPTY_REQUEST, fault: scanned } }
  if (text[scanned.start] !== "[") return { kind: "single", request: requestOf(text, scanned) }
  const { parts } = scanned
  return { kind: "batch", size: parts.length, requestAt: (index) => readItem(text, parts[index] as Part) }
}

/** Reads one request of a batch. A list is not a request. */
function readItem(text: string, { start, end }: Part): MaybeWork<Request> {
  return end - start <= SCANNED_AT_ONCE ? requestOf(text, item(scanFirst(text, start))) : readLongItem(text, start)
}

function* readLongItem(text: string, start: number): Work<Request> {
  return yield* longRequestOf(text, item(yield* scanInSteps(text, start)))
}

function item(scanned: ScanResult | ScanFault): ScanResult {
  if (scanned instanceof ScanFault) throw new Error("a part of a value is no value")
  return scanned
}

/** Decodes long members in steps before it assembles the request. */
function* longRequestOf(text: string, scanned: ScanResult): Work<Request> {
  const long = new Map<Part, string>()
  for (const part of scanned.parts) {
    if (part.end - part.start > SCANNED_AT_ONCE) long.set(part, yield* decodedInSteps(text.slice(part.start, part.end)))
  }
  return requestOf(text, scanned, long)
}

/** Makes a request. `known` has the members that are decoded already. */
function requestOf(text: string, { start, parts }: ScanResult, known?: ReadonlyMap<Part, string>): Request {
  const kind = kindOf(text, start)
  if (kind !== "object") {
    const reason = `json: cannot unmarshal ${kind} into Go value of type json2.serverRequest`
    return kind === "null" ? EMPTY_REQUEST : { ...EMPTY_REQUEST, fault: { reason } }
  }
  let { jsonrpc, method, params, id } = EMPTY_REQUEST
  let fault: Request["fault"]
  const jsonOf = (part: Part): string => known?.get(part) ?? decoded(text.slice(part.start, part.end))
  const rawMember = (part: Part): string | undefined => (text[part.start] === "n" ? undefined : jsonOf(part))
  const textMember = (part: Part, name: string, before: string): string => {
    const found = kindOf(text, part.start)
    if (found === "string") return textOf(jsonOf(part))
    if (found !== "null")
      fault ??= { reason: `json: cannot unmarshal ${found} into Go struct field serverRequest.${name} of type string` }
    return before
  }
  for (const part of parts) {
    switch (memberOf(textOf(decoded(part.key)))) {
      case "jsonrpc":
        jsonrpc = textMember(part, "jsonrpc", jsonrpc)
        break
      case "method":
        method = textMember(part, "method", method)
        break
      case "params":
        params = rawMember(part)
        break
      case "id":
        id = rawMember(part)
        break
    }
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

const MEMBERS: readonly string[] = ["jsonrpc", "method", "params", "id"]

/** Names match in any letter case. */
function memberOf(key: string): string | undefined {
  if (MEMBERS.includes(key)) return key
  const folded = foldedName(key)
  return MEMBERS.find((name) => name === folded)
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
