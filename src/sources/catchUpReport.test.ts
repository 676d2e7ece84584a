import { expect, test } from "vitest"
import type { BootstrapProgress } from "../core/consensus/bootstrap/bootstrapper.js"
import { type Log, silentLog } from "../core/lib/log.js"
import { createLog } from "../node/log.js"
import { bootstrapReport, type CatchUp, copyReport } from "./catchUpReport.js"

function copy(watch?: (progress: CatchUp | undefined) => void) {
  const lines: [event: string, data: unknown][] = []
  const log: Log = { ...silentLog, info: (event, data) => void lines.push([event, data]) }
  const clock = { now: 0 }
  return { lines, clock, report: copyReport({ log, now: () => clock.now, watch }) }
}

test("a copy that catches up is logged every five seconds with its speed, its lag and the time left, and once at the end", () => {
  const { lines, clock, report: made } = copy()
  for (const [seconds, height] of [
    [0, 100n],
    [4.9, 590n],
    [5, 600n],
    [9, 900n],
    [10, 1_000n],
    [11, 1_100n],
  ] as const) {
    clock.now = seconds * 1000
    made({ height, target: 1_100n })
  }
  expect(lines).toEqual([
    ["copying", { height: 600, target: 1_100, lag: 500, blocksPerSecond: 100, secondsLeft: 5 }],
    ["copying", { height: 1_000, target: 1_100, lag: 100, blocksPerSecond: 80, secondsLeft: 1 }],
    ["the copy has caught up", { height: 1_100 }],
  ])
})

test("a copy that is at most a few blocks behind is not logged", () => {
  const { lines, clock, report: made } = copy()
  for (let height = 1n; height < 100n; height++) {
    clock.now += 1_000
    made({ height, target: height + 3n })
    made({ height: height + 3n, target: height + 3n })
  }
  expect(lines).toEqual([])
})

test("a watcher gets every step in place of the lines, and the end", () => {
  const steps: (bigint | undefined)[] = []
  const { lines, report: made } = copy((progress) => void steps.push(progress?.height))
  for (const height of [1n, 50n, 100n]) made({ height, target: 100n })
  expect([steps, lines]).toEqual([[1n, 50n, undefined], [["the copy has caught up", { height: 100 }]]])
})

const progress = (phase: BootstrapProgress["phase"], lastAccepted: bigint): BootstrapProgress => ({
  phase,
  target: 1_000n,
  lastAccepted,
  waiting: 50n,
})

/** A report with a clock that is set by hand, and the lines that it logs. */
function bootstrap() {
  const lines: Record<string, unknown>[] = []
  let now = 0
  const log = createLog({ level: "info", form: "machines", now: () => 0, write: (line) => void lines.push(JSON.parse(line)) })
  const sync = bootstrapReport({ log, now: () => now, beaconWarningMs: 60_000 })
  const tick = (milliseconds: number, at: BootstrapProgress | undefined) => {
    now = milliseconds
    sync(at, 3)
    return lines
      .splice(0)
      .map(({ event, height, blocksPerSecond, secondsLeft }) => ({ event, height, blocksPerSecond, secondsLeft }))
  }
  return tick
}

test("the log says every five seconds how far it is, how fast, and how long it still takes", () => {
  const tick = bootstrap()
  expect(tick(0, progress("fetching", 0n))).toEqual([])
  expect(tick(4_999, progress("fetching", 100n))).toEqual([])
  expect(tick(5_000, progress("fetching", 200n))).toEqual([
    { event: "bootstrapping", height: 200, blocksPerSecond: 40, secondsLeft: 20 },
  ])
  expect(tick(60_000, undefined)).toEqual([])
})

test("after a minute without enough bootstrappers it warns once", () => {
  const tick = bootstrap()
  expect(tick(0, progress("connecting", 0n))).toEqual([])
  const words = (milliseconds: number) => tick(milliseconds, progress("connecting", 0n)).map(({ event }) => event)
  expect(words(59_999)).toEqual(["bootstrapping"])
  expect(words(60_000)).toEqual(["too few bootstrappers are connected"])
  expect(words(120_000)).toEqual(["bootstrapping"])
})
