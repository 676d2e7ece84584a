import { expect, expectTypeOf, test } from "vitest"
import { flatRefusal } from "../../../test/refusal.js"
import { type Json, type JsonShape, printJson } from "./json.js"
import { parseJson } from "./parseJson.js"

/** The code and data of the refusal of a text. */
function refusalOf(text: string, options = {}) {
  return flatRefusal(() => parseJson(text, options))
}

test("integers keep every digit, both ways", () => {
  const texts = [
    "0",
    "-1",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "18446744073709551615",
    "-9223372036854775808",
  ]
  for (const text of texts) expect(printJson(parseJson(text))).toBe(text)
  expect(parseJson("9007199254740991")).toBe(9007199254740991)
  expect(parseJson("9007199254740993")).toBe(9007199254740993n)
  expect(parseJson("-9007199254740993")).toBe(-9007199254740993n)
  expect(parseJson("[18446744073709551615,1.5,1e3,-0.25]")).toEqual([18446744073709551615n, 1.5, 1000, -0.25])
})

test("numbers can be kept as they were written", () => {
  const number = (text: string) => `#${text}`
  expect(parseJson("[1, 1.0, 1e0]", { number })).toEqual(["#1", "#1.0", "#1e0"])
})

test("a number of a million digits is read at once", () => {
  const start = performance.now()
  expect(parseJson("9".repeat(1_000_000))).toBe(Number.POSITIVE_INFINITY)
  expect(performance.now() - start).toBeLessThan(10_000)
})

const values: readonly [string, Json][] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ['""', ""],
  ["[]", []],
  ["{}", {}],
  ['{"a":[1,{"b":null}],"c":"d"}', { a: [1, { b: null }], c: "d" }],
  ['"\\u00e9\\n\\"\\\\\\/"', 'é\n"\\/'],
  ['"\\\\"', "\\"],
  ['{"\\"":1}', { '"': 1 }],
]
test.each(values)("%s is read", (text, value) => {
  expect(parseJson(text)).toEqual(value)
  expect(parseJson(` \t\r\n${text} \n`)).toEqual(value)
})

test.each([
  ["", 0],
  ["   ", 3],
  ["{", 1],
  ["[1,]", 3],
  ["[1 2]", 3],
  ['{"a"}', 4],
  ['{"a":}', 5],
  ['{"a":1,}', 7],
  ["{a:1}", 1],
  ["'a'", 0],
  ['"a', 2],
  ['"\\"', 3],
  ['"\\x"', 2],
  ['"a\nb"', 2],
  ["01", 1],
  ["+1", 0],
  [".5", 0],
  ["1.", 2],
  ["-", 1],
  ["NaN", 0],
  ["nul", 3],
  ["trues", 4],
  ["1 2", 2],
  ["[1]]", 3],
  ["\u00a01", 0],
])("%j is refused at offset %i", (text, offset) => {
  expect(refusalOf(text)).toEqual({ code: "json.malformed", offset })
})

test("what is nested too deeply is refused, and does not overflow the stack", () => {
  expect(parseJson(`${"[".repeat(512)}${"]".repeat(512)}`)).toBeDefined()
  expect(refusalOf("[".repeat(1_000_000))).toEqual({ code: "json.too_deep", offset: 513, limit: 512 })
  expect(refusalOf('{"a":'.repeat(1_000_000), { maxDepth: 3 })).toMatchObject({ code: "json.too_deep", limit: 3 })
})

test("a member called __proto__ is a member like any other", () => {
  const value = parseJson('{"__proto__":{"admin":true},"a":1}') as Record<string, Json>
  expect(Object.keys(value)).toEqual(["__proto__", "a"])
  expect((value as { admin?: boolean }).admin).toBeUndefined()
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test("of repeated members the last counts, unless the option `object` reads all of them", () => {
  expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 })
  expect(parseJson('{"a":1,"a":2}', { object: (entries) => entries.map(([, value]) => value) })).toEqual([1, 2])
})

test("texts can be replaced and values counted while JSON is read", () => {
  const text = (value: string, hasEscapes: boolean) => [value, hasEscapes]
  expect(parseJson('{"\\u0061":["a","\\u0061"]}', { text })).toEqual({
    a: [
      ["a", false],
      ["a", true],
    ],
  })
  expect(parseJson("[1,2]", { left: { values: 3 } })).toEqual([1, 2])
  expect(() => parseJson("[1,2,3]", { left: { values: 3 } })).toThrow(expect.objectContaining({ code: "json.too_many_values" }))
})

test("the values of several texts are counted together", () => {
  const left = { values: 5 }
  expect(parseJson("[1,2]", { left })).toEqual([1, 2])
  expect(parseJson("[1]", { left })).toEqual([1])
  expect(() => parseJson("1", { left })).toThrow(expect.objectContaining({ code: "json.too_many_values" }))
})

test("values are printed without spaces, or with an indentation", () => {
  const value = { a: [1n, "x", []], b: {}, c: undefined, d: null }
  expect(printJson(value)).toBe('{"a":[1,"x",[]],"b":{},"d":null}')
  expect(printJson(value, 2)).toBe('{\n  "a": [\n    1,\n    "x",\n    []\n  ],\n  "b": {},\n  "d": null\n}')
  expect(printJson(undefined)).toBe("null")
})

test("text is escaped as the reference does", () => {
  expect(printJson({ "<&>": "a<b>&c\u2028\u2029\n\u0001é" })).toBe(
    '{"\\u003c\\u0026\\u003e":"a\\u003cb\\u003e\\u0026c\\u2028\\u2029\\n\\u0001é"}',
  )
  expect(parseJson(printJson("1 > 0"))).toBe("1 > 0")
  for (let code = 0; code < 0x300; code++) {
    const character = String.fromCharCode(code)
    const isEscaped = "<>&".includes(character)
    expect(printJson(character)).toBe(isEscaped ? `"\\u00${code.toString(16)}"` : JSON.stringify(character))
  }
})

test("long texts are escaped as short ones are", () => {
  const piece = 'a<b>&c\u2028\u2029é€\u20aa😀"\\\n'
  const short = printJson(piece).slice(1, -1)
  expect(printJson(piece.repeat(1000))).toBe(`"${short.repeat(1000)}"`)
})

test("an interface prints as JSON, and a type with a member that does not print is refused by the compiler", () => {
  interface Chain {
    readonly height: bigint
    readonly names: readonly { readonly text: string | undefined }[]
  }
  const chain: Chain = { height: 7n, names: [{ text: "P" }, { text: undefined }] }
  expect(printJson(chain)).toBe('{"height":7,"names":[{"text":"P"},{}]}')
  expectTypeOf<JsonShape<Chain>>().toEqualTypeOf<Chain>()
  expectTypeOf<JsonShape<{ readonly close: () => void }>>().toEqualTypeOf<{ readonly close: never }>()
})
