import { expect, test } from "vitest"
import { avaxText } from "./avaxText.js"

test.each([
  [0n, "0 AVAX"],
  [1n, "0.000000001 AVAX"],
  [5_000_000_000n, "5 AVAX"],
  [359_999_999_999_990_210n, "359,999,999.99999021 AVAX"],
])("%s nAVAX is written as %s", (amount, text) => {
  expect(avaxText(amount)).toBe(text)
})
