import { type Json, platform, type ResultOf } from "./rpc.js"

/** A field of encoded bytes. */
export type Field = ResultOf<"decode">["fields"][number]

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** Bytes as hex without `0x`, and their decoded value. */
export interface DecodedBytes extends Omit<ResultOf<"decode">, "value"> {
  readonly hex: string
  readonly value: JsonObject
}

/** Decodes hex with the help of the node. */
export async function decode(text: string, as?: string): Promise<DecodedBytes> {
  const decoded = await platform("decode", { bytes: text, ...(as === undefined ? {} : { as }) })
  const hex = text.replace(/^0x/i, "").toLowerCase()
  return { ...decoded, value: decoded.value as JsonObject, hex: decoded.checksum ? hex.slice(0, -8) : hex }
}

/** Returns whether a value is an object with members. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A list in a member of an object; empty if there is none. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}
