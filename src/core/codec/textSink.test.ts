import { describe, expect, test } from "vitest"
import { printJson } from "../lib/json.js"
import { list } from "./list.js"
import { u32 } from "./primitives.js"
import { inlined, type JsonSink, type JsonWriter, jsonMember, type TextFormat } from "./schema.js"
import { struct } from "./struct.js"
import { print, printParts } from "./textSink.js"
import { toJson } from "./valueSink.js"

const many = Array.from({ length: 5000 }, (_, i) => i)
const numbers: JsonWriter<Iterable<number>> = {
  jsonSchema: {},
  writeJson: (sink, values, as) => sink.list(u32, values, as),
}

/** Prints a value at once and in parts, and checks that its JSON in memory prints as the same text. */
function printedTwice<T>(schema: JsonWriter<T>, value: T): { readonly text: string; readonly parts: readonly string[] } {
  const text = print(schema, value, {})
  const parts = [...printParts(schema, value, {})]
  expect(parts.join("")).toBe(text)
  expect(printJson(toJson(schema, value, {}))).toBe(text)
  return { text, parts }
}

describe("printing in parts", () => {
  test("divides long lists, also those inside others, and nothing else", () => {
    const schema = struct({ a: list(u32), b: list(struct({ c: list(u32), d: u32 })), e: u32 })
    const inner = { c: many, d: 7 }
    const { text, parts } = printedTwice(schema, { a: many, b: [inner, { c: [], d: 8 }, inner], e: 1 })
    expect(text.endsWith('],"d":7}],"e":1}')).toBe(true)
    expect(parts.length).toBeGreaterThan(10)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(2 * 4096)
    expect(printedTwice(schema, { a: [], b: [], e: 1 }).parts).toEqual(['{"a":[],"b":[],"e":1}'])
  })

  test("reads a list while it is printed, and ends it if the reader stops", () => {
    const events: (number | string)[] = []
    function* source() {
      try {
        for (const number of many) {
          events.push(number)
          yield number
        }
      } finally {
        events.push("end")
      }
    }
    for (const part of printParts(list(numbers as never), [source()] as never, {})) {
      expect(part.startsWith("[[0,1,2,")).toBe(true)
      break
    }
    expect(events.length).toBeLessThan(many.length)
    expect(events.at(-1)).toBe("end")
  })

  test("ends a list of which an item cannot be printed", () => {
    let isEnded = false
    function* source() {
      try {
        yield* many
      } finally {
        isEnded = true
      }
    }
    const refusing: JsonWriter<number> = {
      jsonSchema: {},
      writeJson(sink, value) {
        if (value === 4000) throw new Error("no 4000")
        sink.json(value)
      },
    }
    const schema: JsonWriter<Iterable<number>> = {
      jsonSchema: {},
      writeJson: (sink, values, as) => sink.list(refusing, values, as),
    }
    expect(() => [...printParts(schema, source(), {})]).toThrow("no 4000")
    expect(isEnded).toBe(true)
  })

  test("ends a list if what comes after it cannot be printed", () => {
    let isEnded = false
    function* source() {
      try {
        yield* many
      } finally {
        isEnded = true
      }
    }
    const refusing: JsonWriter<unknown> = {
      jsonSchema: {},
      writeJson() {
        throw new Error("not printable")
      },
    }
    const members = [jsonMember("a", numbers), jsonMember("b", refusing)]
    const schema: JsonWriter<object> = { jsonSchema: {}, writeJson: (sink, value, as) => sink.object(members, value, as) }
    expect(() => [...printParts(schema, { a: source(), b: 1 }, {})]).toThrow("not printable")
    expect(isEnded).toBe(true)
  })
})

describe("an object", () => {
  const point = struct({ x: u32, y: u32 })
  const nothing = struct({})

  test("may have all members of others among its own", () => {
    const schema: JsonWriter<{ readonly x: number; readonly y: number }> = {
      jsonSchema: {},
      writeJson: (sink, value, as) =>
        sink.object(
          [inlined(nothing, () => ({})), jsonMember("first", point, (all) => all), inlined(point, (all) => all)],
          value,
          as,
        ),
    }
    expect(printedTwice(schema, { x: 1, y: 2 }).text).toBe('{"first":{"x":1,"y":2},"x":1,"y":2}')
  })

  test("prints the members of a value once if their text is kept", () => {
    let count = 0
    const counted: JsonWriter<object> = {
      jsonSchema: {},
      writeJson(sink: JsonSink, _: object, as: TextFormat) {
        count++
        point.writeJson(sink, { x: count, y: 2 }, as)
      },
    }
    const members = [jsonMember<object>("a", u32, () => 0), inlined<object, object>(counted, (value) => value, new WeakMap())]
    const schema: JsonWriter<object> = { jsonSchema: {}, writeJson: (sink, value, as) => sink.object(members, value, as) }
    const value = {}
    expect([print(schema, value, {}), print(schema, value, {})]).toEqual(Array(2).fill('{"a":0,"x":1,"y":2}'))
    expect(print(schema, {}, {})).toBe('{"a":0,"x":2,"y":2}')
  })

  test("omits a member without a value only if it is optional", () => {
    const schema: JsonWriter<{ readonly a?: number; readonly b?: number }> = {
      jsonSchema: {},
      writeJson: (sink, value, as) =>
        sink.object([{ ...jsonMember("a", u32), isOptional: true }, jsonMember("b", u32)], value, as),
    }
    expect(printedTwice(schema, { b: 1 }).text).toBe('{"b":1}')
    expect(printedTwice(schema, { a: 2, b: 1 }).text).toBe('{"a":2,"b":1}')
    expect(print(nothing, {}, {})).toBe("{}")
  })
})
