import { expect, test } from "vitest"
import { RecentBlocks } from "./recentBlocks.js"

test("the minimum height is the one before the oldest block of the last 30 seconds", () => {
  const recent = new RecentBlocks()
  expect(recent.minimumHeight(4n, 0)).toBe(4n)
  recent.add(5n, 100_000)
  recent.add(6n, 110_000)
  expect(recent.minimumHeight(6n, 130_000)).toBe(4n)
  expect(recent.minimumHeight(6n, 130_001)).toBe(5n)
  expect(recent.minimumHeight(6n, 140_001)).toBe(6n)
})

test("no more than 64 blocks are remembered", () => {
  const recent = new RecentBlocks()
  for (let height = 1n; height <= 70n; height++) recent.add(height, 1_000_000)
  expect(recent.minimumHeight(70n, 1_001_000)).toBe(6n)
})
