import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { ClockFile, ClockTrial, PluginClock } from "./pluginClock.js"

const dir = mkdtempSync(join(tmpdir(), "serac-plugin-clock-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const SECOND = 1_000_000_000n

test("every plugin's file gets each setting, in the same file, until the plugin ends", () => {
  const clock = new PluginClock()
  const files = ["a", "b"].map((name) => new ClockFile(join(dir, name)))
  const [a, b] = files as [ClockFile, ClockFile]
  const content = ({ path }: ClockFile) => [0, 8].map((at) => readFileSync(path).readBigInt64LE(at))
  const { ino } = statSync(a.path)
  // A plugin that has printed no time yet is on trial.
  expect(content(a)).toEqual([86_400_000n * SECOND, 1_000_000_000n * SECOND])
  for (const file of files) clock.add(file)
  expect(files.map(content)).toEqual([
    [0n, 0n],
    [0n, 0n],
  ])
  clock.set({ offset: -7n, frozenAt: 5n })
  expect(files.map(content)).toEqual([
    [-7n * SECOND, 5n * SECOND],
    [-7n * SECOND, 5n * SECOND],
  ])
  clock.remove(a)
  clock.set({ offset: 8n, frozenAt: undefined })
  expect([content(a), content(b)]).toEqual([
    [-7n * SECOND, 5n * SECOND],
    [8n * SECOND, 0n],
  ])
  expect(statSync(a.path)).toMatchObject({ ino, size: 16 })
  clock.remove(b)
})

test("the time that a plugin shows depends on what it follows, and ends after 292 years", () => {
  const clock = new PluginClock()
  const shown = () => (["stops", "moves", "none"] as const).map((ability) => clock.timeOf(ability, 1_000_500))
  expect([shown(), clock.isShown]).toEqual([[1_000_500, 1_000_500, 1_000_500], true])
  clock.set({ offset: 60n, frozenAt: undefined })
  expect([shown(), clock.isShown]).toEqual([[1_060_500, 1_060_500, 1_000_500], true])
  clock.set({ offset: 60n, frozenAt: 1060n })
  expect([shown(), clock.isShown]).toEqual([[1_060_000, 1_060_500, 1_000_500], true])
  clock.set({ offset: 9_300_000_000n, frozenAt: undefined })
  expect([shown()[0], clock.isShown]).toEqual([1_000_500 + 9_223_372_036_000, false])
  const file = new ClockFile(join(dir, "far"))
  clock.add(file)
  expect(readFileSync(file.path).readBigInt64LE()).toBe(9_223_372_036n * SECOND)
  clock.remove(file)
})

const wall = () => Date.UTC(2026, 10, 19, 20, 0, 0)

test.each([
  // The zone of a plugin may be any.
  ["2001/09/09 01:46:40 INFO: [core] [Server #1] Server created", "stops"],
  ["2001/09/09 15:46:40 INFO: [core] [Server #1] Server created", "stops"],
  ["2029/08/15 20:00:01 INFO: [core] [Server #1] Server created", "moves"],
  ["2029/08/15 08:00:01 INFO: [core] [Server #1] Server created", "moves"],
  ["2026/11/19 20:00:01 INFO: [core] [Server #1] Server created", "none"],
])("%s: the clock %s", async (line, ability) => {
  const trial = new ClockTrial(wall)
  expect(trial.take("[11-19|20:00:00.000] INFO <mine Chain> plugin/evm/vm.go:260 initializing")).toBe(false)
  expect(trial.take(line)).toBe(true)
  // Only the first time is from the trial.
  expect(trial.take("2026/11/19 20:00:05 INFO: [core] [Server #1] ListenSocket created")).toBe(true)
  expect(await trial.ability).toBe(ability)
})

test("the lines of gRPC are known with their descriptions, and those of the VM between them", () => {
  const trial = new ClockTrial(wall)
  const lines = [
    "2026/11/19 20:00:00 INFO: [core] [Channel #2] Resolver state updated: {",
    '  "Addresses": [',
    "[11-19|20:00:00.000] INFO between",
    "  ]",
    "} (service config updated)",
    "  indented",
  ]
  expect(lines.map((line) => trial.take(line))).toEqual([true, true, false, true, true, false])
})
