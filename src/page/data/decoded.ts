import { type Json, platform } from "./rpc.js"

/** A field of encoded bytes. */
export interface Field {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly value?: Json
}

/** Answer of `platform.decode`. */
export interface DecodeAnswer {
  readonly kind: string
  readonly id: string | null
  readonly checksum: boolean
  readonly value: JsonObject
  readonly fields: readonly Field[]
}

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** Bytes as hex without `0x`, and their decoded value. */
export interface DecodedBytes extends DecodeAnswer {
  readonly hex: string
}

/** Decodes hex with the help of the node. */
export async function decode(text: string, as?: string): Promise<DecodedBytes> {
  const decoded = await platform<DecodeAnswer>("decode", { bytes: text, ...(as === undefined ? {} : { as }) })
  const hex = text.replace(/^0x/i, "").toLowerCase()
  return { ...decoded, hex: decoded.checksum ? hex.slice(0, -8) : hex }
}

/** Returns whether a value is an object with members. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A list in a member of an object; empty if there is none. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}
