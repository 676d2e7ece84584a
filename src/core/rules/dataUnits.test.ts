import { expect, test } from "vitest"
import { units, withUnit } from "../lib/dataUnits.js"
import { rulesError } from "./errors.js"

test("the message of a refusal shows amounts in AVAX, durations in days and times as dates; the data has numbers", () => {
  const small = rulesError("rules.weight_too_small", { weight: 25_000_000_001n, minimum: 2_000_000_000_000n })
  expect(small.message).toBe("the stake is below the minimum (weight: 25.000000001 AVAX, minimum: 2,000 AVAX)")
  expect(small.data).toEqual({ weight: 25_000_000_001n, minimum: 2_000_000_000_000n })
  const short = rulesError("rules.stake_too_short", { duration: 5_461n, minimum: 1_209_600 })
  expect(short.message).toBe("the staking period is too short (duration: 1 hour 31 minutes 1 second, minimum: 14 days)")
  const locked = { locktime: 1_900_000_000n, now: 0n }
  expect(withUnit("rules.time_locked", "locktime", locked)).toBe("2030-03-17T17:46:40Z")
  expect(withUnit("rules.time_locked", "now", locked)).toBe("1970-01-01T00:00:00Z")
})

test("amounts of another asset, nanoseconds and values that are no whole numbers are shown as they are", () => {
  const ofSubnet = { weight: 5n, minimum: 7n, asset: "abc" }
  expect(rulesError("rules.weight_too_small", ofSubnet).message).toMatch(/\(weight: 5, minimum: 7, asset: abc\)$/)
  expect(withUnit("network.min_stake_duration", "minDuration", { minDuration: 60_000_000_000n })).toBe("1 minute")
  expect(withUnit("network.min_stake_duration", "minDuration", { minDuration: 5n })).toBe("5 ns")
  expect(withUnit("network.min_stake_duration", "minDuration", { minDuration: 0n })).toBe("0 seconds")
  for (const timeout of [-1, 0.5, "soon", undefined]) expect(withUnit("dev.bad_timeout", "timeout", { timeout })).toBeUndefined()
  expect(withUnit("rules.unknown", "weight", { weight: 5n })).toBeUndefined()
  expect(Object.keys(units).length).toBeGreaterThan(20)
})
