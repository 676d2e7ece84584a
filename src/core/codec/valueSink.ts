import type { Json } from "../lib/json.js"
import type { JsonMember, JsonSink, JsonWriter, TextFormat } from "./schema.js"

/** Returns a value as JSON in memory. */
export function toJson<T, J>(schema: JsonWriter<T, J>, value: T, as: TextFormat): J {
  return new ValueSink().jsonOf(schema, value, as) as J
}

/** Makes a value in memory from the JSON that schemas write. */
class ValueSink implements JsonSink {
  #json: Json = null

  jsonOf<T>(schema: JsonWriter<T, unknown>, value: T, as: TextFormat): Json {
    schema.writeJson(this, value, as)
    return this.#json
  }

  json(value: Json): void {
    this.#json = value
  }

  plain(text: string): void {
    this.#json = text
  }

  list<T>(item: JsonWriter<T, unknown>, values: Iterable<T>, as: TextFormat): void {
    const items: Json[] = []
    for (const value of values) items.push(this.jsonOf(item, value, as))
    this.#json = items
  }

  object<T>(members: readonly JsonMember<T>[], value: T, as: TextFormat): void {
    const object: Record<string, Json> = {}
    for (const { name, schema, of, isOptional } of members) {
      const given = of(value)
      if (given === undefined && isOptional) continue
      const json = this.jsonOf(schema, given, as)
      if (name === undefined) Object.assign(object, json)
      else object[name] = json
    }
    this.#json = object
  }
}
