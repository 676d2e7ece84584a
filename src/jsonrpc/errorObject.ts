import { type Invalid, shownData } from "../core/lib/invalid.js"
import type { Json } from "../core/lib/json.js"
import type { Dialect } from "./schema/param.js"

/** The error object of a JSON-RPC answer. */
export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data: Json
}

/** JSON-RPC's error numbers by Serac's codes. All other codes have the number of a failed method. */
const NUMBERS: Readonly<Record<string, number>> = {
  "rpc.not_json": -32700,
  "rpc.bad_request": -32600,
  "rpc.bad_batch": -32600,
  "rpc.too_large": -32600,
  "rpc.too_many_pieces": -32600,
  "rpc.answer_too_large": -32000,
  "rpc.unknown_method": -32601,
  "rpc.not_public": -32601,
  "rpc.bad_param": -32602,
  "rpc.missing_param": -32602,
  "rpc.unknown_param": -32602,
  "rpc.too_many_requests": -32005,
  "rpc.busy": -32005,
}

/** The codes that have an error number of their own in AvalancheGo's dialect. All others have the same number. */
const REFERENCE_NUMBERS: readonly string[] = [
  "rpc.not_json",
  "rpc.bad_request",
  "rpc.too_many_requests",
  "rpc.busy",
  "rpc.too_large",
  "rpc.too_many_pieces",
]

const METHOD_FAILED = -32000

/** Makes the error object of a refusal: Serac's sentence, code and data, or AvalancheGo's message without data. */
export function errorObject(error: Invalid, dialect: Dialect): ErrorObject {
  const number = NUMBERS[error.code] ?? METHOD_FAILED
  if (dialect === "contract")
    return { code: number, message: error.message, data: { code: error.code, ...shownData(error.data) } }
  return { code: REFERENCE_NUMBERS.includes(error.code) ? number : METHOD_FAILED, message: error.avalanchegoMessage, data: null }
}

/** The error object of a fault in Serac. It reveals nothing about the fault. */
export const INTERNAL_ERROR: ErrorObject = { code: -32603, message: "internal error", data: null }
