import { expect, expectTypeOf, test } from "vitest"
import type { JsonOf } from "../core/codec/schema.js"
import { parseJson } from "../core/lib/parseJson.js"
import { type Answer, answerOf } from "./answer.js"
import { list, optional } from "./schema/kinds.js"
import { i64Text, integer, u32, u32Text, u64 } from "./schema/numbers.js"
import { object } from "./schema/object.js"
import { json, nullable, record } from "./schema/outputs.js"

const result = object({
  amount: u64,
  offset: i64Text,
  weights: record(integer, "node ID"),
  count: u32Text,
  index: u32,
  heights: list(u64),
  owner: nullable(object({ locktime: u64 })),
  absent: optional(u64),
  anything: json,
})

test("integers of 64 bits are bigints, quoted or not, and smaller ones are numbers; the type says so", () => {
  const text = `{"amount":"5","offset":"-3","weights":{"a":7,"b":18446744073709551615},"count":"12345","index":2,
    "heights":["1","2"],"owner":{"locktime":"9"},"anything":{"amount":"5"},"unknown":"5"}`
  const answer = answerOf(parseJson(text), result.jsonSchema) as Answer<JsonOf<typeof result>>
  expect(answer).toEqual({
    amount: 5n,
    offset: -3n,
    weights: { a: 7n, b: 18446744073709551615n },
    count: 12345,
    index: 2,
    heights: [1n, 2n],
    owner: { locktime: 9n },
    anything: { amount: "5" },
    unknown: "5",
  })
  expectTypeOf(answer.amount).toEqualTypeOf<bigint>()
  expectTypeOf(answer.weights.a).toEqualTypeOf<bigint | undefined>()
  expectTypeOf(answer.count).toEqualTypeOf<number>()
  expectTypeOf(answer.heights).toEqualTypeOf<readonly bigint[]>()
  expectTypeOf(answer.owner).toEqualTypeOf<{ readonly locktime: bigint } | null>()
  expectTypeOf(answer.absent).toEqualTypeOf<bigint | undefined>()
})

test("a value that does not fit the schema, as in the other dialect, is returned unchanged", () => {
  expect(answerOf(parseJson('{"amount":null,"owner":"nobody","heights":{}}'), result.jsonSchema)).toEqual({
    amount: null,
    owner: "nobody",
    heights: {},
  })
})
