import { expect, test } from "vitest"
import { refusal } from "../../../test/refusal.js"
import { decode, encode } from "./decode.js"
import { optional } from "./optional.js"
import { u8 } from "./primitives.js"
import { print } from "./textSink.js"
import { toJson } from "./valueSink.js"

const maybe = optional(u8)

test("an optional value is a count of 0 or 1 and the value, in JSON the value or null", () => {
  expect([undefined, 7].map((value) => [...encode(maybe, value)])).toEqual([
    [0, 0, 0, 0],
    [0, 0, 0, 1, 7],
  ])
  expect(
    [
      [0, 0, 0, 0],
      [0, 0, 0, 1, 7],
    ].map((bytes) => decode(maybe, Uint8Array.from(bytes))),
  ).toEqual([undefined, 7])
  expect([undefined, 7].map((value) => toJson(maybe, value, {}))).toEqual([null, 7])
  expect([undefined, 7].map((value) => print(maybe, value, {}))).toEqual(["null", "7"])
  expect([null, 7].map((json) => maybe.fromJson(json, {}))).toEqual([undefined, 7])
})

test("a count above 1 is refused", () => {
  expect(refusal(() => decode(maybe, Uint8Array.of(0, 0, 0, 2, 7, 7))).code).toBe("codec.bad_count")
})
