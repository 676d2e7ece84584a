import { call, type Json } from "./rpc.js"

/** A method as OpenRPC describes it. */
export interface RpcMethod {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: readonly { readonly name: string }[]
  readonly servers: readonly { readonly url: string }[]
  readonly params: readonly RpcParam[]
  readonly examples: readonly { readonly params: readonly { readonly name: string; readonly value: Json }[] }[]
}

/** A parameter with the schema of its value. */
export interface RpcParam {
  readonly name: string
  readonly required: boolean
  readonly schema: RpcSchema
}

/** The part of a JSON schema that forms use. */
export interface RpcSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly default?: Json
  readonly description?: string
  readonly items?: RpcSchema
}

/** Requests the description of the API, which is the same in both dialects. */
export async function askOpenRpc(): Promise<readonly RpcMethod[]> {
  return (await call<{ methods: RpcMethod[] }>("/ext/info", "rpc.discover")).methods
}

/** The path of a method's service. */
export const pathOf = ({ servers }: RpcMethod): string => new URL(servers[0]?.url ?? "/", location.href).pathname

/** Returns the text that a form shows for a value. */
export const fieldText = (value: Json | undefined): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** Reads a field: JSON if the schema is a list, an object, a number or a boolean, and text otherwise. */
export function fieldValue(text: string, schema: RpcSchema): Json {
  if (schema.type === "string" || schema.enum) return text
  if (schema.type === undefined && /^\d+$/.test(text)) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return schema.type === "array" ? text.split(/[\s,]+/).filter((each) => each !== "") : text
  }
}
