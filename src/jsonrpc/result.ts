import type { JsonSchema, Output } from "../core/codec/schema.js"
import type { Json } from "../core/lib/json.js"

/** The shape of an answer whose handler makes JSON itself. Being replaced by `schema/`, whose kinds write values. */
export interface Answer<R> extends Output<R, R> {
  /** True where the member may be left out. */
  readonly isOptional?: boolean
}

/** A member that an answer may lack. */
export type OptionalAnswer<R> = Answer<R> & { readonly isOptional: true }

type Members = Readonly<Record<string, Answer<unknown>>>
type TypeOf<A> = A extends Answer<infer R> ? R : never
type OptionalKeys<M extends Members> = { [K in keyof M]: M[K] extends { readonly isOptional: true } ? K : never }[keyof M]
type Flat<T> = { readonly [K in keyof T]: T[K] }
type ObjectOf<M extends Members> = Flat<
  { readonly [K in Exclude<keyof M, OptionalKeys<M>>]: TypeOf<M[K]> } & {
    readonly [K in OptionalKeys<M>]?: TypeOf<M[K]> | undefined
  }
>

const of = <R>(jsonSchema: JsonSchema): Answer<R> => ({ jsonSchema, toJson: (value) => value })
const text = (description: string) => of<string>({ type: "string", description })

/** An object of these members; a member that is `undefined` is not printed. */
function object<const M extends Members>(members: M): Answer<ObjectOf<M>> {
  const entries = Object.entries(members)
  return of({
    type: "object",
    properties: Object.fromEntries(entries.map(([name, { jsonSchema }]) => [name, jsonSchema])),
    required: entries.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
  })
}

const optional = <R>(schema: Answer<R>): OptionalAnswer<R> => ({ ...schema, isOptional: true })
const nullable = <R>({ jsonSchema }: Answer<R>) => of<R | null>({ anyOf: [jsonSchema, { type: "null" }] })
const list = <R>({ jsonSchema }: Answer<R>) => of<readonly R[]>({ type: "array", items: jsonSchema })
const described = <A extends Answer<unknown>>(schema: A, description: string): A => ({
  ...schema,
  jsonSchema: { ...schema.jsonSchema, description },
})

/** An object whose members are named by what they are about. */
const map = <R>({ jsonSchema }: Answer<R>, keys: string) =>
  of<Readonly<Record<string, R>>>({ type: "object", additionalProperties: jsonSchema, description: `by ${keys}` })

const oneOf = <const T extends string>(...names: readonly T[]) => of<T>({ type: "string", enum: names })
const either = <A, B>(a: Answer<A>, b: Answer<B>) => of<A | B>({ anyOf: [a.jsonSchema, b.jsonSchema] })

/** The shapes that answers are made of. */
export const answer = {
  /** Any other shape: the schema and its type are the caller's word. */
  of,
  string: of<string>({ type: "string" }),
  bool: of<boolean>({ type: "boolean" }),
  number: of<number>({ type: "number" }),
  /** A bare JSON integer of up to 64 bits, past 2^53 too. */
  integer: of<number | bigint>({ type: "integer" }),
  /** An integer of up to 64 bits as a text of digits. */
  digits: of<string>({ type: "string", pattern: "^[0-9]+$" }),
  id: text("an ID in cb58"),
  nodeID: text("a node ID, NodeID- and cb58"),
  address: text("an address, P- and bech32"),
  /** RFC 3339 in whole seconds, UTC. */
  time: of<string>({ type: "string", format: "date-time" }),
  /** Four decimals. */
  percent: of<string>({ type: "string", pattern: "^[0-9]+\\.[0-9]{4}$" }),
  hex: of<string>({ type: "string", pattern: "^0x([0-9a-f]{2})*$" }),
  encoding: of<string>({ type: "string", enum: ["hex", "hexc", "hexnc", "json"] }),
  json: of<Json>({}),
  object,
  optional,
  nullable,
  list,
  map,
  oneOf,
  either,
  described,
} as const
