import { expect, test } from "vitest"
import type { Pace } from "../pace.js"
import { scan, scanWithPauses } from "./goScan.js"
import { ScanFault } from "./goTokens.js"
import { compacted, decoded, decodedWithPauses, textOf } from "./scannedText.js"

/** Runs work with a pace that is always due. Returns its result, and the number of its pauses. */
async function paused<T>(work: (pace: Pace) => Promise<T>): Promise<{ readonly pauses: number; readonly value: T }> {
  let pauses = 0
  const pause = async () => {
    pauses++
  }
  const value = await work({ isDue: true, pause })
  return { pauses, value }
}

const fault = (text: string) => {
  const scanned = scan(Buffer.from(text).toString("latin1"))
  return scanned instanceof ScanFault ? scanned.reason : undefined
}

test("the first value is found, and whatever follows it is ignored", () => {
  expect(scan(' {"a": [1, {"b": 2}], "c":"}"} } trailing')).toEqual({
    key: "",
    start: 1,
    end: 30,
    parts: [
      { key: '"a"', start: 7, end: 20 },
      { key: '"c"', start: 26, end: 29 },
    ],
  })
  expect(scan("[1,[2],{}]x")).toMatchObject({
    end: 10,
    parts: [
      { start: 1, end: 2 },
      { start: 3, end: 6 },
      { start: 7, end: 9 },
    ],
  })
  expect(scan("12.5e-3x")).toMatchObject({ start: 0, end: 7 })
})

// Recorded from encoding/json of Go 1.26; the first few also from AvalancheGo v1.13.0 itself.
test.each([
  ["", "EOF"],
  [" \n", "EOF"],
  ['{"jsonrpc":', "unexpected EOF"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ["{1:2}", "invalid character '1' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
  ["[1 2]", "invalid character '2' after array element"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["nope", "invalid character 'o' in literal null (expecting 'u')"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ["\u{feff}{}", "invalid character 'ï' looking for beginning of value"],
  ['{"a":"\n"}', "invalid character '\\n' in string literal"],
  ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
  ['{"a":"\\u00g0"}', "invalid character 'g' in \\u hexadecimal character escape"],
  ["[-a]", "invalid character 'a' in numeric literal"],
  ["[1.a]", "invalid character 'a' after decimal point in numeric literal"],
  ["[1e+]", "invalid character ']' in exponent of numeric literal"],
  ["[01]", "invalid character '1' after array element"],
  ["[".repeat(10_001), "invalid character '[' exceeded max depth"],
  ["[".repeat(10_000), "unexpected EOF"],
])("%j is refused in Go's words", (text, reason) => {
  expect(fault(text)).toBe(reason)
})

test("deep nesting does not use the stack", () => {
  expect(scan(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)).toMatchObject({ end: 20_000 })
})

test("texts are unescaped, and halves of a surrogate pair replaced", () => {
  expect(textOf('"a\\u0041\\n"')).toBe("aA\n")
  expect(textOf('"\\ud800x"')).toBe("\ufffdx")
})

test("bytes are text in UTF-8", () => {
  expect(decoded(Buffer.from('"é"').toString("latin1"))).toBe('"é"')
})

test("white space between the parts of a value is taken out, inside texts it stays", () => {
  expect(compacted('{ "a b" : [ 1 , "\\" \\\\" ] }')).toBe('{"a b":[1,"\\" \\\\"]}')
})

const escapes = "\\u0041".repeat(166_000)

test.each([
  ["list", `[${"0,".repeat(500_000)}0]`],
  ["string", `["${escapes}"]`],
  ["string without escapes", `["${"x".repeat(996_000)}"]`],
  ["key", `{"a":0, "${escapes}" : 1}`],
  ["key of an inner object", `[1,{"${escapes}":[]}]`],
])("a long %s is scanned with pauses", async (_, text) => {
  expect(await paused((pace) => scanWithPauses(text, pace))).toEqual({ pauses: 8, value: scan(text) })
})

test.each([63, 64, 65, 1_000_000])("a string of %i plain characters ends at its quote, backslash or fault", (length) => {
  const plain = " !#[]~\x7f\xff\u20ac\ud83d\ude00\uffff".repeat(length).slice(0, length)
  expect(scan(`"${plain}",`)).toEqual({ key: "", start: 0, end: length + 2, parts: [] })
  expect(scan(`"${plain}\\"${plain}"`)).toEqual({ key: "", start: 0, end: 2 * length + 4, parts: [] })
  expect(scan(`"${plain}\n"`)).toEqual(new ScanFault("invalid character '\\n' in string literal", length + 1))
  expect(scan(`"${plain}`)).toEqual(new ScanFault("unexpected EOF", length + 1))
})

test("a pause may come inside a text, and never inside an escape", async () => {
  for (let before = 0; before < 8; before++) {
    const text = `["${"x".repeat(before)}${"\\u0041é\\\\".repeat(50_000)}", "${"y".repeat(300_000)}"]`
    expect(await paused((pace) => scanWithPauses(text, pace))).toEqual({ pauses: 6, value: scan(text) })
  }
  const open = `["${"x".repeat(300_000)}`
  expect((await paused((pace) => scanWithPauses(open, pace))).value).toEqual(scan(open))
})

test("a long text is decoded with pauses, and no character is taken apart", async () => {
  for (let before = 0; before < 4; before++) {
    const text = `"${"x".repeat(before)}${"a\u00ad\u20ac\u{1f600}".repeat(40_000)}"`
    const { pauses, value } = await paused((pace) => decodedWithPauses(Buffer.from(text).toString("latin1"), pace))
    expect([pauses, value === text]).toEqual([4, true])
  }
})
