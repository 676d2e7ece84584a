import { goQuote } from "../../core/lib/go/goQuote.js"
import { type Part, SCANNED_AT_ONCE, type ScanResult, scanInSteps } from "../../core/lib/go/goScan.js"
import { foldedName } from "../../core/lib/go/goText.js"
import { ScanFault } from "../../core/lib/go/goTokens.js"
import { compacted, decoded, decodedInSteps, textOf } from "../../core/lib/go/scannedText.js"
import { htmlSafe } from "../../core/lib/json.js"
import type { Work } from "../../core/lib/work.js"
import type { Request } from "./request.js"

/** The content of a body: one request, or (as a JSON array) several. */
export type Envelope =
  | { readonly kind: "single"; readonly request: Request }
  /** `size` counts at most `MAX_PARTS` requests. They are read one by one, so that other work can run in between. */
  | { readonly kind: "batch"; readonly size: number; requestAt(index: number): Work<Request> }

const EMPTY_REQUEST: Request = { jsonrpc: "", method: "", params: undefined, id: undefined }

/**
 * Reads the JSON-RPC envelope as AvalancheGo does (api.md §1.4): it uses the first JSON value and ignores whatever follows. A long body is
 * read in steps.
 */
export function* readEnvelope(body: Uint8Array): Work<Envelope> {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  const scanned = yield* scanInSteps(text)
  if (scanned instanceof ScanFault) return { kind: "single", request: { ...EMPTY_REQUEST, fault: scanned } }
  if (text[scanned.start] !== "[") return { kind: "single", request: yield* requestIn(text, scanned) }
  const { parts } = scanned
  return { kind: "batch", size: parts.length, requestAt: (index) => itemAt(text, (parts[index] as Part).start) }
}

/** Reads one request of a batch. A list is not a request. */
function* itemAt(text: string, start: number): Work<Request> {
  const scanned = yield* scanInSteps(text, start)
  if (scanned instanceof ScanFault) throw new Error("a part of a value is no value")
  return yield* requestIn(text, scanned)
}

/** Makes a request of the parts of a value. */
function* requestIn(text: string, { start, parts }: ScanResult): Work<Request> {
  const kind = kindOf(text, start)
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
  for (const part of parts) {
    const name = memberOf(textOf(decoded(part.key)))
    if (name === undefined) continue
    const bytes = text.slice(part.start, part.end)
    const json = bytes.length > SCANNED_AT_ONCE ? yield* decodedInSteps(bytes) : decoded(bytes)
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
  const folded = foldedName(key)
  return MEMBERS.find((name) => name === key || name === folded)
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
