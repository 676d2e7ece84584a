import { expect, test } from "vitest"
import { Invalid, refusals } from "./invalid.js"

const error = refusals({
  "test.plain": "a rule is broken",
  "test.with_words": { says: "another rule is broken", reference: "the reference's words" },
  "test.with_data": { says: "a number is too large", reference: ({ got, limit }) => `${got} > ${limit}` },
})

test("a refusal has a code, a sentence, data, and the reference's words for it", () => {
  const refusal = error("test.with_data", { got: 5, limit: 4 })
  expect(refusal).toBeInstanceOf(Invalid)
  expect(refusal).toMatchObject({
    name: "Invalid",
    code: "test.with_data",
    message: "a number is too large",
    data: { got: 5, limit: 4 },
  })
  expect(refusal.reference).toBe("5 > 4")
  expect(error("test.with_words").reference).toBe("the reference's words")
})

test("where the reference has no words, ours stand for them", () => {
  expect(error("test.plain").reference).toBe("a rule is broken")
  expect(error("test.plain").data).toEqual({})
})

test("a list of refusals can be read, code by code", () => {
  expect(Object.keys(error.list)).toEqual(["test.plain", "test.with_words", "test.with_data"])
  expect(error.list["test.plain"]).toEqual({ says: "a rule is broken" })
})
