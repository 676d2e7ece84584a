import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { Invalid } from "../../core/lib/invalid.js"
import { bool, list, optional, string } from "../schema/kinds.js"
import { u16, u64 } from "../schema/numbers.js"
import { object } from "../schema/object.js"
import type { ParseContext } from "../schema/param.js"
import { flatMembers, isFlatObject } from "./flatObject.js"
import { readParams } from "./params.js"

const params = object({
  addresses: optional(list(string)),
  limit: optional(u16),
  amount: optional(u64),
  name: optional(string),
  all: optional(bool),
})
const contexts: readonly ParseContext[] = [
  { dialect: "contract" },
  { dialect: "contract", unknownMembers: "refused" },
  { dialect: "avalanchego" },
]

/** Reads parameters in every context: their values, or the refusal. */
function read(text: string): unknown[] {
  return contexts.map((as) => {
    try {
      return readParams(text, params, as)
    } catch (error) {
      if (error instanceof Invalid) return { code: error.code, data: error.data, message: error.avalanchegoMessage }
      throw error
    }
  })
}

/** Reads parameters as any JSON, because an object with a space before it is not read by its pattern. */
function readAsAnyJson(text: string): unknown[] {
  expect(flatMembers(` ${text}`)).toBeUndefined()
  return read(` ${text}`)
}

const flat = '{"addresses":["P-local1a", "P-local1b"], "limit":10,"amount": 18446744073709551615,"name":"a","all":true}'

test("members of a flat object are read in their order, with integers as bigints", () => {
  expect(flatMembers('{"limit":10,"name": "é", "limit":"9","all":false,"none":[],"addresses":["a","b"]}')).toEqual([
    ["limit", 10n],
    ["name", "é"],
    ["limit", "9"],
    ["all", false],
    ["none", []],
    ["addresses", ["a", "b"]],
  ])
})

test.each([
  "{}",
  "[]",
  "null",
  '{"limit":1.0}',
  '{"limit":-1}',
  '{"limit":1e3}',
  '{"limit":null}',
  '{"name":"\\u0061"}',
  '{"n\\u0061me":"a"}',
  '{"name" :"a"}',
  '{"name":"a"} ',
  '{"addresses":[1]}',
  '{"addresses":[["a"]]}',
  '{"name":{"a":"b"}}',
  `{"amount":${"1".repeat(21)}}`,
  `{"name":"${"a".repeat(1024)}"}`,
])("%s is not read by the pattern of a flat object", (text) => {
  expect(flatMembers(text)).toBeUndefined()
})

test.each([
  flat,
  '{"LIMIT":1,"Limit":2}',
  '{"limit":"x","limit":1,"other":1}',
  '{"limit":65536}',
  '{"limit":"0010","all":"true"}',
  '{"amount":18446744073709551616}',
  '{"addresses":"a"}',
  '{"addresses":["a"],"addresses":["b","c"]}',
  '{"addresses":[],"name":5}',
  '{"__proto__":"a","constructor":"b","toString":1}',
  '{"name":"","all":false}',
])("%s is read like any JSON", (text) => {
  expect([isFlatObject(text), flatMembers(text)]).toEqual([true, expect.anything()])
  expect(read(text)).toEqual(readAsAnyJson(text))
})

test("a flat object with one changed character is read like any JSON", () => {
  const random = new Random(18)
  const characters = '{}[]",:\\ 019aA.-'
  let flatOnes = 0
  for (let i = 0; i < 6000; i++) {
    const at = random.below(flat.length)
    const changed = flat.slice(0, at) + characters[random.below(characters.length)] + flat.slice(at + 1)
    expect(isFlatObject(changed) && !isJson(changed)).toBe(false)
    if (!isJson(changed) || !flatMembers(changed)) continue
    flatOnes++
    expect(read(changed)).toEqual(readAsAnyJson(changed))
  }
  expect(flatOnes).toBeGreaterThan(1000)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
