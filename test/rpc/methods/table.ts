import { type Json, printJson } from "../../../src/core/lib/json.js"
import { allRefusals } from "../../docs/errors.js"
import type { ParamKind } from "./undecodable.js"

/** The subject of a case. */
export const categories = ["normal", "all parameters", "omitted parameters", "errors"] as const
export type Category = (typeof categories)[number]

/** The whole of an answer; its values may be matchers where it differs from run to run. */
export interface Expected {
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
  readonly contract: Expected
  readonly avalanchego: Expected
}

/** The cases of a method, and the kinds of its parameters. */
export interface Cases extends Partial<Record<Category, readonly Case[]>> {
  readonly takes: Readonly<Record<string, ParamKind>>
  readonly normal: readonly Case[]
}

/** By the full name of the method. */
export type Table = Readonly<Record<string, Cases>>

/** The same answer in both dialects. */
export const both = (params: Json | undefined, result: unknown): Case => differ(params, result, result)

/** Another answer in each dialect. */
export function differ(params: Json | undefined, contract: unknown, avalanchego: unknown): Case {
  return { ...(params === undefined ? {} : { params }), contract: { result: contract }, avalanchego: { result: avalanchego } }
}

const sentences = new Map((await allRefusals()).map(({ code, refusal }) => [code, refusal.sentence]))
const numbers: Readonly<Record<string, number>> = { "rpc.bad_param": -32602, "rpc.missing_param": -32602 }

/** A refusal in the contract's dialect: its code with all its data. */
export function refusal(code: string, told: { readonly [name: string]: Json } = {}): Expected {
  const values = Object.entries(told).map(([name, value]) => `${name}: ${shown(value)}`)
  const says = sentences.get(code) ?? `${code} is on no list`
  const message = values.length === 0 ? says : `${says} (${values.join(", ")})`
  return { error: { code: numbers[code] ?? -32000, message, data: { code, ...told } } }
}

/** A refusal in AvalancheGo's words. */
export const refusalText = (message: string): Expected => ({ error: { code: -32000, message, data: null } })

function shown(value: Json): string {
  const text = typeof value === "string" ? value : printJson(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** Refused for the same reason in both dialects, in the words of each. */
export function refused(params: Json, code: string, told: { readonly [name: string]: Json }, reference: string): Case {
  return { params, contract: refusal(code, told), avalanchego: refusalText(reference) }
}

/** A parameter that the contract asks for; AvalancheGo takes the zero of its type. */
export function missing(param: string, avalanchego: Expected, params: Json = {}): Case {
  return { params, contract: refusal("rpc.missing_param", { param }), avalanchego }
}

/** Asked for JSON: the contract refuses that always, AvalancheGo where there is something to encode (D21). */
export function noJson(params: object, avalanchego: Case["avalanchego"]): Case {
  const contract = refusal("platform.unsupported_encoding", { encoding: "json" })
  return { params: { ...params, encoding: "json" } as never, contract, avalanchego }
}

/** A case that comes after these calls. */
export const after = (calls: readonly Call[], each: Case): Case => ({ ...each, after: calls })

/** A case that these calls undo. */
export const undoneBy = (calls: readonly Call[], each: Case): Case => ({ ...each, afterwards: calls })
