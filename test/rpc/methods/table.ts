import { withUnit } from "../../../src/core/lib/dataUnits.js"
import { type Json, printJson } from "../../../src/core/lib/json.js"
import { allRefusals } from "../../docs/errors.js"
import type { ParamKind } from "./undecodable.js"

/** The subject of a case. */
export const categories = ["normal", "all parameters", "omitted parameters", "errors"] as const
export type Category = (typeof categories)[number]

/** A whole answer. Values that differ from run to run are matchers. */
export interface ExpectedAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown }
}

/** A call whose answer does not matter. */
export type Call = readonly [method: string, params: Json]

/** A question, and the whole answer in each dialect. */
export interface Case {
  /** If it is absent, the call has no parameters. */
  readonly params?: Json
  /** Runs before the case; the chain is restored afterwards. */
  readonly after?: readonly Call[]
  /** Runs after the case, also if it fails. */
  readonly afterwards?: readonly Call[]
  readonly contract: ExpectedAnswer
  readonly avalanchego: ExpectedAnswer
}

/** The cases of a method, and the kinds of its parameters. */
export interface Cases extends Partial<Record<Category, readonly Case[]>> {
  readonly takes: Readonly<Record<string, ParamKind>>
  readonly normal: readonly Case[]
}

/** The cases of all methods, by the full name of the method. */
export type Table = Readonly<Record<string, Cases>>

/** Makes a case with the same answer in both dialects. */
export const both = (params: Json | undefined, result: unknown): Case => differ(params, result, result)

/** Makes a case with one answer for each dialect. */
export function differ(params: Json | undefined, contract: unknown, avalanchego: unknown): Case {
  return { ...(params === undefined ? {} : { params }), contract: { result: contract }, avalanchego: { result: avalanchego } }
}

const sentences = new Map((await allRefusals()).map(({ code, refusal }) => [code, refusal.sentence]))
const numbers: Readonly<Record<string, number>> = { "rpc.bad_param": -32602, "rpc.missing_param": -32602 }

/** A refusal in the contract's dialect: its code with all its data. */
export function refusal(code: string, data: { readonly [name: string]: Json } = {}): ExpectedAnswer {
  const values = Object.entries(data).map(([name, value]) => `${name}: ${withUnit(code, name, data) ?? shown(value)}`)
  const sentence = sentences.get(code) ?? `${code} is on no list`
  const message = values.length === 0 ? sentence : `${sentence} (${values.join(", ")})`
  return { error: { code: numbers[code] ?? -32000, message, data: { code, ...data } } }
}

/** A refusal in AvalancheGo's words. */
export const refusalText = (message: string): ExpectedAnswer => ({ error: { code: -32000, message, data: null } })

function shown(value: Json): string {
  const text = typeof value === "string" ? value : printJson(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** Makes a case that both dialects refuse for the same reason, each with its own text. */
export function refused(params: Json, code: string, data: { readonly [name: string]: Json }, reference: string): Case {
  return { params, contract: refusal(code, data), avalanchego: refusalText(reference) }
}

/** Makes a case of a missing parameter. The contract requires it; AvalancheGo uses the zero of its type. */
export function missing(param: string, avalanchego: ExpectedAnswer, params: Json = {}): Case {
  return { params, contract: refusal("rpc.missing_param", { param }), avalanchego }
}

/** Makes a case with the encoding `json`. The contract always refuses it, AvalancheGo only if there is something to encode (D21). */
export function noJson(params: object, avalanchego: Case["avalanchego"]): Case {
  const contract = refusal("platform.unsupported_encoding", { encoding: "json" })
  return { params: { ...params, encoding: "json" } as never, contract, avalanchego }
}

/** Makes the calls before a case. */
export const after = (calls: readonly Call[], each: Case): Case => ({ ...each, after: calls })

/** Makes the calls after a case, to undo its effects. */
export const undoneBy = (calls: readonly Call[], each: Case): Case => ({ ...each, afterwards: calls })
