import { expect, test } from "vitest"
import { type Log, silentLog } from "../../core/lib/log.js"
import type { CatchUp } from "../progressLog.js"
import { FollowReport } from "./followReport.js"

function report(watch?: (progress: CatchUp | undefined) => void) {
  const lines: [event: string, data: unknown][] = []
  const log: Log = { ...silentLog, info: (event, data) => void lines.push([event, data]) }
  const clock = { now: 0 }
  return { lines, clock, report: new FollowReport({ log, now: () => clock.now, watch }) }
}

test("a copy that catches up is logged every five seconds with its speed, its lag and the time left, and once at the end", () => {
  const { lines, clock, report: made } = report()
  for (const [seconds, height] of [
    [0, 100n],
    [4.9, 590n],
    [5, 600n],
    [9, 900n],
    [10, 1_000n],
    [11, 1_100n],
  ] as const) {
    clock.now = seconds * 1000
    made.tick({ height, target: 1_100n })
  }
  expect(lines).toEqual([
    ["copying", { height: 600, target: 1_100, lag: 500, blocksPerSecond: 100, secondsLeft: 5 }],
    ["copying", { height: 1_000, target: 1_100, lag: 100, blocksPerSecond: 80, secondsLeft: 1 }],
    ["the copy has caught up", { height: 1_100 }],
  ])
})

test("a copy that is at most a few blocks behind is not logged", () => {
  const { lines, clock, report: made } = report()
  for (let height = 1n; height < 100n; height++) {
    clock.now += 1_000
    made.tick({ height, target: height + 3n })
    made.tick({ height: height + 3n, target: height + 3n })
  }
  expect(lines).toEqual([])
})

test("a watcher gets every step in place of the lines, and the end", () => {
  const steps: (bigint | undefined)[] = []
  const { lines, report: made } = report((progress) => void steps.push(progress?.height))
  for (const height of [1n, 50n, 100n]) made.tick({ height, target: 100n })
  expect([steps, lines]).toEqual([[1n, 50n, undefined], [["the copy has caught up", { height: 100 }]]])
})
