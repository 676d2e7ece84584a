import { expect, test } from "vitest"
import { type Check, HealthMonitor } from "./monitor.js"

const START = 1_794_710_000_000_000_000n

function monitor(checks: readonly Check[]) {
  let now = START
  return new HealthMonitor(checks, () => {
    now += 500_000n
    return now
  })
}

test("a passing check reports its time and duration", () => {
  const { checks, healthy } = monitor([{ name: "bootstrapped", questions: ["readiness"], run: () => [] }]).report("readiness", [])
  expect(healthy).toBe(true)
  expect(checks).toEqual({
    bootstrapped: { message: [], error: undefined, timestamp: "2026-11-15T02:33:20.001Z", duration: 500_000 },
  })
})

test("a failing check reports since when it fails, until it passes again", () => {
  let isIll = true
  const run = () => {
    if (isIll) throw new Error("the disk is full")
    return null
  }
  const all = monitor([{ name: "disk", questions: ["health"], run }])
  all.report("health", [])
  expect(all.report("health", [])).toMatchObject({
    healthy: false,
    checks: { disk: { error: "the disk is full", contiguousFailures: 2, timeOfFirstFailure: "2026-11-15T02:33:20.001Z" } },
  })
  isIll = false
  expect(all.report("health", [])).toMatchObject({ healthy: true })
  isIll = true
  expect(all.report("health", []).checks.disk?.contiguousFailures).toBe(1)
})

test("tags choose checks; those without tags are always asked", () => {
  const run = () => null
  const all = monitor([
    { name: "all", questions: ["health"], run },
    { name: "one", questions: ["health"], tags: ["subnet"], run },
  ])
  const names = (tags: readonly string[]) => Object.keys(all.report("health", tags).checks)
  expect(names([])).toEqual(["all", "one"])
  expect(names(["subnet"])).toEqual(["all", "one"])
  expect(names(["other"])).toEqual(["all"])
})

test("liveness runs no checks", () => {
  expect(monitor([]).report("liveness", [])).toEqual({ checks: {}, healthy: true })
})
