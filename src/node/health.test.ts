import { expect, test } from "vitest"
import { HealthMonitor } from "../jsonrpc/health/monitor.js"
import { healthLog } from "./health.js"
import { createLog } from "./log.js"

test("a check that begins to fail and one that passes again are one line each", () => {
  const lines: string[] = []
  const log = createLog({ level: "info", form: "machines", hasColors: false, now: () => 0, write: (text) => lines.push(text) })
  let reason: string | undefined
  const run = () => {
    if (reason) throw new Error(reason)
    return null
  }
  const questions = ["health"] as const
  const health = new HealthMonitor(
    [
      { name: "P", questions, run },
      { name: "disk", questions, run: () => null },
    ],
    () => 0n,
  )
  const { look } = healthLog(health, log)
  for (reason of [undefined, "two peers are missing", "three peers are missing", undefined, undefined]) look()
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: "1970-01-01T00:00:00.000Z", level: "warn", event: "health check fails", check: "P", reason: "two peers are missing" },
    { time: "1970-01-01T00:00:00.000Z", level: "info", event: "health check passes again", check: "P" },
  ])
})
