import { expect, test } from "vitest"
import { doNow, type Work } from "../work.js"
import { scanInSteps } from "./goScan.js"
import { ScanFault } from "./goTokens.js"
import { compacted, decoded, decodedInSteps, textOf } from "./scannedText.js"

const scanFirst = (text: string) => doNow(scanInSteps(text))

const fault = (text: string) => {
  const scanned = scanFirst(Buffer.from(text).toString("latin1"))
  return scanned instanceof ScanFault ? scanned.reason : undefined
}

test("the first value is found, and whatever follows it is ignored", () => {
  expect(scanFirst(' {"a": [1, {"b": 2}], "c":"}"} } trailing')).toEqual({
    key: "",
    start: 1,
    end: 30,
    parts: [
      { key: '"a"', start: 7, end: 20 },
      { key: '"c"', start: 26, end: 29 },
    ],
  })
  expect(scanFirst("[1,[2],{}]x")).toMatchObject({
    end: 10,
    parts: [
      { start: 1, end: 2 },
      { start: 3, end: 6 },
      { start: 7, end: 9 },
    ],
  })
  expect(scanFirst("12.5e-3x")).toMatchObject({ start: 0, end: 7 })
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
  expect(scanFirst(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)).toMatchObject({ end: 20_000 })
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
])("a long %s is scanned in steps", (_, text) => {
  expect(inSteps(scanInSteps(text))).toEqual({ steps: 8, value: scanFirst(text) })
})

test.each([63, 64, 65, 1_000_000])("a string of %i plain characters ends at its quote, backslash or fault", (length) => {
  const plain = " !#[]~\x7f\xff\u20ac\ud83d\ude00\uffff".repeat(length).slice(0, length)
  expect(scanFirst(`"${plain}",`)).toEqual({ key: "", start: 0, end: length + 2, parts: [] })
  expect(scanFirst(`"${plain}\\"${plain}"`)).toEqual({ key: "", start: 0, end: 2 * length + 4, parts: [] })
  expect(scanFirst(`"${plain}\n"`)).toEqual(new ScanFault("invalid character '\\n' in string literal", length + 1))
  expect(scanFirst(`"${plain}`)).toEqual(new ScanFault("unexpected EOF", length + 1))
})

/** The result of a piece of work, and in how many steps it came. */
function inSteps<T>(work: Work<T>): { readonly steps: number; readonly value: T } {
  for (let steps = 1; ; steps++) {
    const { done, value } = work.next()
    if (done) return { steps, value }
  }
}

test("a pause may come inside a text, and never inside an escape", () => {
  for (let before = 0; before < 8; before++) {
    const text = `["${"x".repeat(before)}${"\\u0041é\\\\".repeat(50_000)}", "${"y".repeat(300_000)}"]`
    const { steps, value } = inSteps(scanInSteps(text))
    expect([steps, value]).toEqual([6, scanFirst(text)])
  }
  const open = `["${"x".repeat(300_000)}`
  expect(inSteps(scanInSteps(open)).value).toEqual(scanFirst(open))
})

test("a long text is decoded in steps, and no character is taken apart", () => {
  for (let before = 0; before < 4; before++) {
    const text = `"${"x".repeat(before)}${"a\u00ad\u20ac\u{1f600}".repeat(40_000)}"`
    const { steps, value } = inSteps(decodedInSteps(Buffer.from(text).toString("latin1")))
    expect([steps, value === text]).toEqual([5, true])
  }
})
