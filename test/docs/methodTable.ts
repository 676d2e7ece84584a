import { services } from "../../src/client/services.js"
import type { JsonSchema } from "../../src/core/codec/schema.js"
import { isSmallText, isWide, isWideText } from "../../src/jsonrpc/answer.js"

/**
 * src/client/methods.json: what the clients of the library know of every method. It holds its parameters by name, and of the schema of its result
 * only what `answerOf` needs to find integers, so that a client in a browser contains neither schemas nor handlers.
 */
export function methodTable(): string {
  const all = Object.values(services)
  const results = new Map(
    all.flatMap(({ methods }) =>
      methods.map(({ name, result: { jsonSchema, wholeSchema = jsonSchema } }) => [name, reduced(wholeSchema)] as const),
    ),
  )
  const shared = new SharedSchemas([...results.values()])
  const methods = all.flatMap((service) =>
    service.methods.map(({ name, params }) => {
      const result = results.get(name)
      return [name, { params: Object.keys(params.members), ...(result && { result: shared.referring(result) }) }] as const
    }),
  )
  const lines = (entries: readonly (readonly [string, unknown])[]) =>
    entries.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(",\n")
  const paths = all.map(({ name, paths: [path] }) => [name, path] as const)
  const schemas = shared.list.map((each) => `    ${JSON.stringify(each)}`).join(",\n")
  return `{\n  "paths": {\n${lines(paths)}\n  },\n  "methods": {\n${lines(methods)}\n  },\n  "schemas": [\n${schemas}\n  ]\n}\n`
}

type Schemas = Readonly<Record<string, JsonSchema>>

/** Returns the part of a schema that leads to integers; `undefined` if there are none in it. */
function reduced(schema: JsonSchema): JsonSchema | undefined {
  const { items, properties, additionalProperties, pattern } = schema
  const choices = choicesOf(schema)
  if (choices) return choices.some(reduced) ? { anyOf: choices.map(choice) } : undefined
  if (isWide(schema)) return { type: "integer", format: "uint64" }
  if (isWideText(schema) || isSmallText(schema)) return { type: "string", pattern: pattern as string }
  if (items) return within("array", { items: reduced(items as JsonSchema) })
  const members = Object.entries((properties ?? {}) as Schemas).flatMap(([name, each]) => {
    const own = reduced(each)
    return own ? [[name, own]] : []
  })
  return within("object", {
    properties: members.length > 0 ? Object.fromEntries(members) : undefined,
    additionalProperties: typeof additionalProperties === "object" ? reduced(additionalProperties as JsonSchema) : undefined,
  })
}

function within(type: string, parts: Readonly<Record<string, JsonSchema | undefined>>): JsonSchema | undefined {
  const given = Object.entries(parts).filter(([, part]) => part !== undefined)
  return given.length > 0 ? { type, ...Object.fromEntries(given) } : undefined
}

/** Returns one of several schemas: beside its integers it keeps the names of its members, by which `answerOf` chooses. */
function choice(schema: JsonSchema): JsonSchema {
  const choices = choicesOf(schema)
  if (choices) return { anyOf: choices.map(choice) }
  const { type = null, required, properties } = schema
  const members = properties && Object.entries(properties as Schemas).map(([name, each]) => [name, reduced(each) ?? {}])
  return {
    type,
    ...reduced(schema),
    ...(required ? { required } : {}),
    ...(members && { properties: Object.fromEntries(members) }),
  }
}

const choicesOf = ({ anyOf, oneOf }: JsonSchema) => (anyOf ?? oneOf) as readonly JsonSchema[] | undefined

/** Schemas that occur more than once. They are listed once, and named by their position. */
class SharedSchemas {
  readonly list: unknown[] = []
  readonly #counts = new Map<string, number>()
  readonly #places = new Map<string, number>()

  constructor(roots: readonly (JsonSchema | undefined)[]) {
    for (const each of roots) this.#count(each)
  }

  /** Counts a value and, where it occurs for the first time, its parts. */
  #count(value: unknown): void {
    if (typeof value !== "object" || value === null) return
    const text = JSON.stringify(value)
    const before = this.#counts.get(text) ?? 0
    this.#counts.set(text, before + 1)
    if (before === 0) for (const part of Object.values(value)) this.#count(part)
  }

  /** Returns a value in which shared schemas are references: `{"$ref": 3}`. */
  referring(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.referring(each))
    if (typeof value !== "object" || value === null) return value
    const text = JSON.stringify(value)
    const inParts = () => Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.referring(part)]))
    const isSchema = "type" in value || "anyOf" in value
    if (!isSchema || (this.#counts.get(text) ?? 0) < 2) return inParts()
    const place = this.#places.get(text) ?? this.list.push(inParts()) - 1
    this.#places.set(text, place)
    return { $ref: place }
  }
}
