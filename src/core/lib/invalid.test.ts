import { expect, test } from "vitest"
import { Invalid, refusals } from "./invalid.js"

const error = refusals({
  "test.plain": "a rule is broken",
  "test.with_words": { sentence: "another rule is broken", avalanchegoMessage: "the reference's words" },
  "test.with_data": { sentence: "a number is too large", avalanchegoMessage: ({ got, limit }) => `${got} > ${limit}` },
})

test("a refusal has a code, a sentence, data, and the reference's words for it", () => {
  const refusal = error("test.with_data", { got: 5, limit: 4 })
  expect(refusal).toBeInstanceOf(Invalid)
  expect(refusal).toMatchObject({
    name: "Invalid",
    code: "test.with_data",
    sentence: "a number is too large",
    message: "a number is too large (got: 5, limit: 4)",
    data: { got: 5, limit: 4 },
  })
  expect(refusal.avalanchegoMessage).toBe("5 > 4")
  expect(error("test.with_words").avalanchegoMessage).toBe("the reference's words")
})

test("what the console prints of a refusal is its message, its code and its data", () => {
  expect(Object.keys(error("test.with_data", { got: 5, limit: 4 })).filter((name) => name !== "name")).toEqual(["code", "data"])
})

test("a refusal without a text of the reference has our sentence", () => {
  expect(error("test.plain").avalanchegoMessage).toBe("a rule is broken")
  expect(error("test.plain").data).toEqual({})
})

test("a list of refusals can be read, code by code", () => {
  expect(Object.keys(error.list)).toEqual(["test.plain", "test.with_words", "test.with_data"])
  expect(error.list["test.plain"]).toEqual({ sentence: "a rule is broken" })
})

test("the message shows bytes as hex, bigints as digits, long values cut, and nothing that only AvalancheGo's text needs", () => {
  const data = {
    bytes: Uint8Array.of(1, 255),
    amount: 2n ** 60n,
    list: [1, 2n],
    long: "x".repeat(300),
    reference: "?",
    none: undefined,
  }
  expect(error("test.plain", data).message).toBe(
    `a rule is broken (bytes: 0x01ff, amount: 1152921504606846976, list: [1,"2"], long: ${"x".repeat(200)}…)`,
  )
})
