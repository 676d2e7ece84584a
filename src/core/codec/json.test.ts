import { describe, expect, test } from "vitest"
import { flatRefusal } from "../../../test/refusal.js"
import { printJson } from "../lib/json.js"
import { parseJson } from "../lib/parseJson.js"
import { list } from "./list.js"
import { oneOf, variant } from "./oneOf.js"
import { base64Bytes, bool, byteArray, bytes, fixedBytes, i64, str, u8, u32, u64, u64Text } from "./primitives.js"
import type { JsonWriter, Schema } from "./schema.js"
import { struct } from "./struct.js"
import { print, printParts } from "./textSink.js"
import { toJson } from "./valueSink.js"

/** The JSON text of the value that a JSON text describes. */
function again<T>(schema: Schema<T>, text: string): string {
  const value = schema.fromJson(parseJson(text), {})
  const printed = printJson(toJson(schema, value, {}))
  expect(print(schema, value, {})).toBe(printed)
  expect([...printParts(schema, value, {})].join("")).toBe(printed)
  return printed
}

/** Returns the code and data of a refusal of JSON. */
function refusalOf<T>(schema: Schema<T>, text: string) {
  return flatRefusal(() => schema.fromJson(parseJson(text), {}, "here"))
}

const kinds = list(oneOf({ interface: "", registered: {} }, variant("A", 1, { a: u8 }), variant("B", 2, { b: bytes })))

describe("JSON is read and printed alike", () => {
  const cases: readonly [string, Schema<any>, string][] = [
    ["a small integer", u8, "255"],
    ["an integer of 32 bits", u32, "4294967295"],
    ["an integer of 64 bits, every digit", u64, "18446744073709551615"],
    ["a signed integer of 64 bits", i64, "-9223372036854775808"],
    ["a quoted integer", u64Text, '"18446744073709551615"'],
    ["a truth value", bool, "true"],
    ["bytes", bytes, '"0x00ff"'],
    ["no bytes", bytes, '"0x"'],
    ["bytes of fixed size", fixedBytes(2), '"0x00ff"'],
    ["bytes as base64", base64Bytes, '"AP8="'],
    ["bytes as numbers", byteArray(3), "[0,1,255]"],
    ["text", str, '"naïve"'],
    ["a list", list(u32), "[1,2]"],
    ["an empty list", list(u32), "[]"],
    [
      "a structure",
      struct({ a: u8, b: list(struct({ c: str })) }, { order: ["b", "a"] }),
      '{"b":[{"c":"\\u003c\\"\\u2028"},{"c":"é"}],"a":7}',
    ],
    ["a structure without members", struct({}), "{}"],
    ["one of several kinds", kinds, '[{"a":1},{"b":"0x01"}]'],
  ]
  test.each(cases)("%s", (_what, schema, text) => {
    expect(again(schema, text)).toBe(text)
  })

  test("except other spellings that are accepted", () => {
    expect(again(u64Text, "5")).toBe('"5"')
    expect(again(list(u32), "null")).toBe("[]")
    expect(again(base64Bytes, "null")).toBe('""')
    expect(again(bytes, '"0xAB"')).toBe('"0xab"')
  })
})

describe("JSON is refused with the path of what is wrong", () => {
  const u8Range = "an integer from 0 to 255"
  const u64Range = "an integer from 0 to 18446744073709551615"
  const cases: readonly [string, Schema<any>, string, unknown][] = [
    ["a number too large", u8, "256", u8Range],
    ["a negative number", u8, "-1", u8Range],
    ["a fraction", u8, "1.5", u8Range],
    ["a quoted number", u8, '"1"', u8Range],
    ["null for a number", u64, "null", u64Range],
    ["a number past 64 bits", u64, "18446744073709551616", u64Range],
    ["a negative number of 64 bits", u64, "-1", u64Range],
    ["a quoted number of 64 bits", u64, '"1"', u64Range],
    ["a fraction of 64 bits", u64, "0.5", u64Range],
    ["infinity", u64, "1e999", u64Range],
    ["a number past 63 bits", i64, "9223372036854775808", "an integer from -9223372036854775808 to 9223372036854775807"],
    ["no digits", u64Text, '""', u64Range],
    ["digits and a sign", u64Text, '"-1"', u64Range],
    ["too many digits", u64Text, '"18446744073709551616"', u64Range],
    ["0 for false", bool, "0", "true or false"],
    ["hex without 0x", bytes, '"00"', "bytes as 0x hex"],
    ["half a byte", bytes, '"0x0"', "bytes as 0x hex"],
    ["no hex", bytes, '"0xzz"', "bytes as 0x hex"],
    ["null for bytes", bytes, "null", "bytes as 0x hex"],
    ["bytes of another size", fixedBytes(2), '"0x00"', "2 bytes as 0x hex"],
    ["base64 without padding", base64Bytes, '"AP8"', "bytes as base64"],
    ["base64 of other letters", base64Bytes, '"AP8_"', "bytes as base64"],
    ["numbers of another count", byteArray(3), "[1,2]", "an array of 3 numbers"],
    ["a number for text", str, "5", "text"],
    ["an object for a list", list(u8), "{}", "an array"],
  ]
  test.each(cases)("%s", (_what, schema, text, expected) => {
    expect(refusalOf(schema, text)).toMatchObject({ code: "codec.bad_json", path: "here", expected })
  })

  test("deep inside", () => {
    const deep = struct({ rows: list(struct({ cells: list(u8), key: byteArray(2) })) })
    expect(refusalOf(deep, '{"rows":[{"cells":[],"key":[1,2]},{"cells":[1,2,300],"key":[1,2]}]}')).toEqual({
      code: "codec.bad_json",
      path: "here.rows.1.cells.2",
      expected: u8Range,
      got: 300,
    })
    expect(refusalOf(deep, '{"rows":[{"cells":[],"key":[1,-2]}]}')).toMatchObject({ path: "here.rows.0.key.1" })
  })

  test("text of 64 KiB and more", () => {
    expect(refusalOf(str, JSON.stringify("é".repeat(32_768)))).toMatchObject({ expected: "text of at most 65535 bytes" })
  })
})

describe("the members of an object", () => {
  const point = struct({ x: u8, y: u8 })

  test("may come in any order, and are printed in theirs", () => {
    expect(again(point, '{"y":2,"x":1}')).toBe('{"x":1,"y":2}')
  })

  test("must all be there, and no others", () => {
    expect(refusalOf(point, '{"x":1}')).toEqual({ code: "codec.missing_member", path: "here.y" })
    expect(refusalOf(point, '{"x":1,"y":2,"z":3}')).toEqual({ code: "codec.unknown_member", path: "here.z" })
    expect(refusalOf(point, '{"x":1,"y":2,"__proto__":3}')).toEqual({ code: "codec.unknown_member", path: "here.__proto__" })
    expect(refusalOf(point, '{"x":1,"y":2,"toString":3}')).toEqual({ code: "codec.unknown_member", path: "here.toString" })
    for (const text of ["null", "[]", "5", '"a"']) {
      expect(refusalOf(point, text)).toEqual({ code: "codec.bad_json", path: "here", expected: "an object" })
    }
  })

  test("may be printed in another order than that of the bytes, and with more than the bytes hold", () => {
    const sum: JsonWriter<{ x: number; y: number }, number> = {
      jsonSchema: { type: "integer" },
      writeJson: (sink, { x, y }) => sink.json(x + y),
    }
    const shown = struct({ x: u8, y: u8 }, { order: ["y", "sum", "x"], also: { sum } })
    expect(printJson(toJson(shown, { x: 1, y: 2 }, {}))).toBe('{"y":2,"sum":3,"x":1}')
    expect(shown.fromJson(parseJson('{"y":2,"sum":99,"x":1}'), {})).toEqual({ x: 1, y: 2 })
    expect(shown.jsonSchema).toEqual({
      type: "object",
      properties: { y: u8.jsonSchema, sum: { type: "integer" }, x: u8.jsonSchema },
      required: ["y", "sum", "x"],
      additionalProperties: false,
    })
  })
})

describe("one of several kinds", () => {
  const place = { interface: "test.Shape", registered: {} }
  const circle = variant("Circle", 1, { radius: u8 })
  const square = variant("Square", 2, { side: u8 })
  const disc = variant("Disc", 3, { radius: u8 })
  const shape = oneOf(place, circle, square, disc)

  test("is recognised by its members", () => {
    expect(shape.fromJson({ side: 1 }, {})).toEqual({ kind: "Square", side: 1 })
    expect(again(shape, '{"side":1}')).toBe('{"side":1}')
  })

  test("is refused when its members fit several kinds, or none", () => {
    expect(refusalOf(shape, '{"radius":1}')).toEqual({ code: "codec.ambiguous_json", path: "here", kinds: ["Circle", "Disc"] })
    const expected = "the members of one of Circle, Square, Disc"
    expect(refusalOf(shape, "{}")).toEqual({ code: "codec.bad_json", path: "here", expected })
    expect(refusalOf(shape, '{"radius":1,"side":1}')).toEqual({ code: "codec.bad_json", path: "here", expected })
    expect(refusalOf(shape, "5")).toEqual({ code: "codec.bad_json", path: "here", expected: "an object" })
  })

  test("can be named when its members do not decide", () => {
    expect(shape.ofKind("Disc")!.fromJson({ radius: 1 }, {})).toEqual({ kind: "Disc", radius: 1 })
    expect(refusalOf(shape.ofKind("Disc")!, '{"side":1}')).toEqual({ code: "codec.unknown_member", path: "here.side" })
    expect(shape.ofKind("Triangle")).toBeUndefined()
  })

  test("is described by the schemas of all, by name", () => {
    expect(shape.jsonSchema).toEqual({ oneOf: [circle.jsonSchema, square.jsonSchema, disc.jsonSchema] })
    expect(circle.jsonSchema.title).toBe("Circle")
  })
})
