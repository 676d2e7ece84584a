import { expect, test } from "vitest"
import type { BootstrapProgress } from "../../core/consensus/bootstrap/bootstrapper.js"
import { createLog } from "../../node/log.js"
import { SyncReport } from "./syncReport.js"

const progress = (phase: BootstrapProgress["phase"], lastAccepted: bigint): BootstrapProgress => ({
  phase,
  target: 1_000n,
  lastAccepted,
  waiting: 50n,
})

/** A report with a clock that is set by hand, and the lines that it logs. */
function report() {
  const lines: Record<string, unknown>[] = []
  let now = 0
  const log = createLog({ level: "info", form: "machines", now: () => 0, write: (line) => void lines.push(JSON.parse(line)) })
  const sync = new SyncReport({ log, now: () => now, beaconWarningMs: 60_000 })
  const tick = (milliseconds: number, at: BootstrapProgress | undefined) => {
    now = milliseconds
    sync.tick(at, 3)
    return lines
      .splice(0)
      .map(({ event, height, blocksPerSecond, secondsLeft }) => ({ event, height, blocksPerSecond, secondsLeft }))
  }
  return tick
}

test("the log says every five seconds how far it is, how fast, and how long it still takes", () => {
  const tick = report()
  expect(tick(0, progress("fetching", 0n))).toEqual([])
  expect(tick(4_999, progress("fetching", 100n))).toEqual([])
  expect(tick(5_000, progress("fetching", 200n))).toEqual([
    { event: "bootstrapping", height: 200, blocksPerSecond: 40, secondsLeft: 20 },
  ])
  expect(tick(60_000, undefined)).toEqual([])
})

test("after a minute without enough bootstrappers it warns once", () => {
  const tick = report()
  expect(tick(0, progress("connecting", 0n))).toEqual([])
  const words = (milliseconds: number) => tick(milliseconds, progress("connecting", 0n)).map(({ event }) => event)
  expect(words(59_999)).toEqual(["bootstrapping"])
  expect(words(60_000)).toEqual(["too few bootstrappers are connected"])
  expect(words(120_000)).toEqual(["bootstrapping"])
})
