import { expect, test } from "vitest"
import { clamp64, MAX64 } from "../lib/math64.js"
import { paramsFor } from "../networks/index.js"
import { priceOf } from "./gas.js"
import { advanceExcess, forecastPrices, type L1FeePrice, l1FeesOver, secondsPaid, secondsRemaining } from "./l1Fee.js"

const mainnet = paramsFor(1).validatorFee
const YEAR = 31_536_000n

test("the excess grows above the target, shrinks below it, and stays in 64 bits", () => {
  expect(advanceExcess(15_000n, 0n, 10_000n, 60n)).toBe(300_000n)
  expect(advanceExcess(9_000n, 300_000n, 10_000n, 60n)).toBe(240_000n)
  expect(advanceExcess(9_000n, 300_000n, 10_000n, 301n)).toBe(0n)
  expect(advanceExcess(10_000n, 7n, 10_000n, MAX64)).toBe(7n)
  expect(advanceExcess(MAX64, 1n, 0n, 1n)).toBe(MAX64)
})

test("an idle month costs the minimum, a crowded week more", () => {
  expect(l1FeesOver(mainnet, 100n, 0n, 2_592_000n)).toBe(1_327_104_000n)
  expect(l1FeesOver({ ...mainnet, minPrice: 2_048n }, 15_000n, 0n, 604_800n)).toBe(5_265_492_669n)
  expect(l1FeesOver(mainnet, 0n, 0n, MAX64)).toBe(MAX64)
})

test("funds last until a second can no longer be paid whole", () => {
  expect(secondsRemaining(mainnet, 100n, 0n, 10n, 1_300n)).toBe(2n)
  expect(secondsRemaining(mainnet, 100n, 0n, 10n, 511n)).toBe(0n)
  expect(secondsRemaining(paramsFor(5).validatorFee, 20_000n, 0n, 86_400n, 1_000_000n)).toBe(1_658n)
  expect(secondsRemaining({ ...mainnet, minPrice: 0n }, 20_000n, 0n, 5n, 0n)).toBe(5n)
})

test("the fee by stretches of time equals the fee second by second", () => {
  const configs: L1FeePrice[] = [
    { target: 10n, minPrice: 3n, excessConversionConstant: 200n },
    { target: 10n, minPrice: 1n, excessConversionConstant: 5_000n },
    { target: 0n, minPrice: 512n, excessConversionConstant: 90n },
    // Estimates of where a price ends are infinite, far off or not a number here.
    { target: 10n, minPrice: 0n, excessConversionConstant: 5_000n },
    { target: 10n, minPrice: MAX64, excessConversionConstant: 1n },
    { target: 9n, minPrice: 1n, excessConversionConstant: 10n ** 18n },
  ]
  for (const config of configs) {
    for (const active of [0n, 9n, 10n, 11n, 60n]) {
      for (const excess of [0n, 1n, 999n, 4_000n, 10n ** 18n, MAX64 - 500n]) {
        const prices = secondBySecond(config, active, excess, 300)
        for (const seconds of [0, 1, 2, 99, 300]) {
          const total = prices.slice(0, seconds).reduce((sum, price) => sum + price, 0n)
          const cost = clamp64(total)
          expect(l1FeesOver(config, active, excess, BigInt(seconds))).toBe(cost)
          if (total > MAX64 || config.minPrice === 0n) continue
          // Exactly this much pays exactly this long, one nAVAX less a second less.
          expect(secondsRemaining(config, active, excess, BigInt(seconds), total)).toBe(BigInt(seconds))
          if (seconds > 0) expect(secondsRemaining(config, active, excess, 300n, total - 1n)).toBe(BigInt(seconds - 1))
        }
      }
    }
  }
})

test("a forecast of several funds says for each what is said of it alone", () => {
  const config: L1FeePrice = { target: 10n, minPrice: 3n, excessConversionConstant: 200n }
  for (const active of [0n, 9n, 10n, 11n, 60n]) {
    for (const excess of [0n, 1n, 999n]) {
      const funds = [0n, 1n, 2n, 3n, 299n, 300n, 301n, 5_000n, 5_000n, 1_000_000n, 10n ** 12n]
      const forecast = forecastPrices(config, active, excess, 3_000n)
      const seconds = secondsPaid(forecast.prices, funds)
      const alone = funds.map((each) => secondsRemaining(config, active, excess, 3_000n, each))
      expect(seconds.map((each, i) => each ?? alone[i])).toEqual(alone)
      expect(alone.map((each) => each < forecast.horizon)).toEqual(seconds.map((each) => each !== undefined))
    }
  }
  const free = forecastPrices({ ...config, minPrice: 0n }, 60n, 0n, 5n)
  expect(free).toEqual({ prices: [{ seconds: 5n, price: 0n }], horizon: 5n })
  expect(secondsPaid(free.prices, [0n])).toEqual([undefined])
})

test("a forecast ends after 2,048 prices", () => {
  const config: L1FeePrice = { target: 0n, minPrice: 1_000_000n, excessConversionConstant: 1_000_000n }
  const forecast = forecastPrices(config, 10n, 0n, YEAR)
  expect([forecast.prices.length, forecast.horizon]).toEqual([2_048, 2_048n])
  expect(secondsPaid(forecast.prices, [5_000_000n, MAX64])).toEqual([4n, undefined])
})

test("a year with one validator off the target takes a few dozen steps, not millions", () => {
  expect(l1FeesOver(mainnet, 10_001n, 0n, YEAR)).toBe(16_336_778_074n)
  expect(secondsRemaining(mainnet, 9_999n, 864_000_000n, YEAR, MAX64)).toBe(YEAR)
})

function secondBySecond(config: L1FeePrice, active: bigint, start: bigint, seconds: number): bigint[] {
  const prices: bigint[] = []
  let excess = start
  for (let second = 0; second < seconds; second++) {
    excess = advanceExcess(active, excess, config.target, 1n)
    prices.push(priceOf(config, excess))
  }
  return prices
}
