import { expect, test } from "vitest"
import { refusal } from "../../test/refusal.js"
import { parseAmount, parseSeconds, parseShare } from "./units.js"

test.each([
  ["14d", 1_209_600n],
  ["2w", 1_209_600n],
  ["1d12h", 129_600n],
  ["1h30m", 5_400n],
  ["90s", 90n],
  ["0s", 0n],
])("%s is a duration", (text, seconds) => {
  expect(parseSeconds(text)).toBe(seconds)
})

test.each(["", "14", "d", "-1d", "1.5d", "1y", "14 d", "1ms"])("%j is no duration", (text) => {
  expect(refusal(() => parseSeconds(text)).code).toBe("cli.bad_duration")
})

test.each([
  ["5avax", 5_000_000_000n],
  ["1.5 AVAX", 1_500_000_000n],
  ["30,000avax", 30_000_000_000_000n],
  ["100navax", 100n],
  ["18446744073709551615 nAVAX", 18_446_744_073_709_551_615n],
])("%s is an amount", (text, amount) => {
  expect(parseAmount(text)).toBe(amount)
})

test.each([
  ["5", "cli.bad_amount"],
  ["", "cli.bad_amount"],
  ["5eth", "cli.bad_amount"],
  ["1.5navax", "types.bad_amount"],
  ["18446744073709551616navax", "cli.bad_amount"],
  ["-5avax", "types.bad_amount"],
])("%j is no amount", (text, code) => {
  expect(refusal(() => parseAmount(text)).code).toBe(code)
})

test.each([
  ["2%", 20_000],
  ["6.25 %", 62_500],
  ["100%", 1_000_000],
  ["0.0001%", 1],
])("%s is a share", (text, share) => {
  expect(parseShare(text)).toBe(share)
})

test.each(["2", "100.1%", "2.00001%", "-1%", "", "%"])("%j is no share", (text) => {
  expect(refusal(() => parseShare(text)).code).toBe("cli.bad_share")
})
