import { Invalid, shownData, valueOrInvalid } from "../core/lib/invalid.js"
import { type Json, printJson } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { mcpError } from "./errors.js"

export type JsonObject = { readonly [name: string]: Json }

/** A JSON-RPC message of a client: a request, or without an ID a notification. */
export interface Message {
  readonly id: string | number | undefined
  readonly method: string
  readonly params: JsonObject
}

/** Reads a line. Returns the refusal of a line that is not a message, with the ID if that can be read. */
export function readMessage(line: string): Message | { readonly id?: string | number | undefined; readonly refusal: Invalid } {
  const json = valueOrInvalid(() => parseJson(line))
  if (json instanceof Invalid) return { refusal: mcpError("mcp.not_json", json.data) }
  if (!isObject(json)) return { refusal: mcpError("mcp.bad_message") }
  const { jsonrpc, id, method, params = {} } = json
  const known = typeof id === "string" || typeof id === "number" ? id : undefined
  const isMessage =
    jsonrpc === "2.0" && typeof method === "string" && isObject(params) && (id === undefined || known !== undefined)
  return isMessage ? { id: known, method, params } : { id: known, refusal: mcpError("mcp.bad_message") }
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The JSON-RPC error numbers of refusals; all others are bad parameters. */
const NUMBERS: Readonly<Record<string, number>> = {
  "mcp.not_json": -32700,
  "mcp.bad_message": -32600,
  "mcp.unknown_method": -32601,
  "mcp.unsupported_version": -32022,
}
const BAD_PARAMS = -32602
const INTERNAL_ERROR = -32603

/** Prints the answer to a request as one line. The ID is omitted where the request's could not be read. */
export function resultLine(id: string | number, result: Json): string {
  return printJson({ jsonrpc: "2.0", id, result })
}

/** Prints a refusal, or a fault of Serac, as the answer to a request. */
export function errorLine(id: string | number | undefined, error: unknown): string {
  const body =
    error instanceof Invalid
      ? { code: NUMBERS[error.code] ?? BAD_PARAMS, message: error.message, data: { code: error.code, ...shownData(error.data) } }
      : { code: INTERNAL_ERROR, message: "an error inside Serac; its log on stderr has more" }
  return printJson({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error: body })
}
