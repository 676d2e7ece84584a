import { expect, test } from "vitest"
import { refusal } from "../../../test/refusal.js"
import { avaxText } from "../lib/avaxText.js"
import { parseAvax } from "./parseAvax.js"

test.each([
  ["0", 0n],
  ["1.5", 1_500_000_000n],
  ["30,000,000 AVAX", 30_000_000_000_000_000n],
  ["0.000000001avax", 1n],
  ["18446744073.709551615", 2n ** 64n - 1n],
])("%s is read exactly", (text, amount) => {
  expect(parseAvax(text)).toBe(amount)
  expect(parseAvax(avaxText(amount))).toBe(amount)
})

test("a number is refused, because it may not be exact", () => {
  expect(refusal(() => parseAvax(1.5 as never))).toEqual({ code: "types.bad_amount", data: { text: 1.5 } })
})

test.each(["", "-1", "1e9", "1.0000000001", "1,00", "1 nAVAX", "0x10", ".5", "18446744073.709551616"])(
  '"%s" is refused',
  (text) => {
    expect(refusal(() => parseAvax(text))).toEqual({ code: "types.bad_amount", data: { text } })
  },
)
