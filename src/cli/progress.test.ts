import { Readable } from "node:stream"
import { expect, test } from "vitest"
import { catchUpBar, progressLine, progressOn } from "./progress.js"
import type { Terminal } from "./terminal.js"

function watched(columns: number | undefined) {
  let clock = 1_000
  let notes = ""
  const terminal: Terminal = {
    stdin: Readable.from([]),
    env: {},
    columns,
    print: async () => {},
    note: (text) => {
      notes += text
    },
    now: () => clock,
  }
  return { terminal, tick: (milliseconds: number) => (clock += milliseconds), seen: () => notes }
}

test("progress shows share, count, rate and what is left", () => {
  expect(progressLine({ unit: "blocks", total: 3_000 }, 1_500, 10_000)).toBe(
    "[############------------]  50 %  1,500 of 3,000 blocks  150/s  0:10 left",
  )
  expect(progressLine({ unit: "blocks", total: 40_000_000, from: 1_000 }, 2_000, 1_000, "height 2,000")).toBe(
    "[------------------------]   0 %  2,000 of 40,000,000 blocks  1,000/s  11:06:38 left  height 2,000",
  )
  expect(progressLine({ unit: "lines" }, 1_234_567, 1_000)).toBe("1,234,567 lines  1,234,567/s")
  expect(progressLine({ unit: "blocks", total: 10 }, 10, 0)).toBe("[########################] 100 %  10 of 10 blocks  0/s")
})

test("the bar is drawn ten times a second at most, never wider than the terminal, and wiped at the end", () => {
  const { terminal, tick, seen } = watched(20)
  const progress = progressOn(terminal, { unit: "lines" })
  progress.update(1)
  progress.update(2)
  tick(100)
  progress.update(1_000_000_000)
  progress.end()
  expect(seen()).toBe("\r1 lines  0/s\x1b[K\r1,000,000,000 lines\x1b[K\r\x1b[K")
})

test("without a terminal a JSON line reports the progress every ten seconds, and short work prints nothing", () => {
  const { terminal, tick, seen } = watched(undefined)
  const progress = progressOn(terminal, { unit: "lines", total: 50_000, from: 1_000 })
  tick(9_999)
  progress.update(3)
  expect(seen()).toBe("")
  tick(1)
  progress.update(11_000, () => "height 7")
  progress.update(12_000)
  progress.end()
  expect(seen()).toBe(
    '{"time":"1970-01-01T00:00:11.000Z","level":"info","event":"progress","unit":"lines","done":11000,"total":50000,"perSecond":1000,"note":"height 7"}\n',
  )
})

test("the bar of a chain that catches up follows a target that grows, and is removed at the end", () => {
  const notes: string[] = []
  let now = 1_000_000
  const terminal = { columns: 100, note: (text: string) => void notes.push(text), now: () => now } as Terminal
  const draw = catchUpBar(terminal)
  draw(undefined)
  expect(notes).toEqual([])
  for (const [height, target, note] of [
    [100n, 1_000n, "3 fetched"],
    [200n, 1_000n, "5 fetched"],
    [600n, 1_200n, "7 fetched"],
  ] as const) {
    now += 1_000
    draw({ height, target, note })
  }
  expect(notes.at(-1)).toBe("\r[############------------]  50 %  600 of 1,200 blocks  250/s  0:03 left  7 fetched\x1b[K")
  draw(undefined)
  draw(undefined)
  expect(notes.slice(3)).toEqual(["\r\x1b[K"])
})
