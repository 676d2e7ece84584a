import { expect, test } from "vitest"
import { copyBar } from "./copyBar.js"
import type { Terminal } from "./terminal.js"

test("a bar shows share, rate and time left of a copy, follows a target that grows, and is wiped at the end", () => {
  const notes: string[] = []
  let now = 1_000_000
  const terminal = { columns: 100, note: (text: string) => void notes.push(text), now: () => now } as unknown as Terminal
  const update = copyBar(terminal)
  const at = (height: bigint, target: bigint) => {
    now += 1_000
    update({ height, target })
  }
  update(undefined)
  expect(notes).toEqual([])
  at(100n, 1_000n)
  at(200n, 1_000n)
  at(600n, 1_200n)
  expect(notes.at(-1)).toBe("\r[############------------]  50 %  600 of 1,200 blocks  250/s  0:03 left\x1b[K")
  update(undefined)
  update(undefined)
  expect(notes.slice(3)).toEqual(["\r\x1b[K"])
})
