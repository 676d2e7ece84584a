import { expect, test } from "vitest"
import { syncBar } from "./syncBar.js"
import type { Terminal } from "./terminal.js"

test("a bar shows share, rate and time left while blocks are fetched, follows a target that grows, and is wiped at the end", () => {
  const notes: string[] = []
  let now = 1_000_000
  const terminal = { columns: 100, note: (text: string) => void notes.push(text), now: () => now } as unknown as Terminal
  const update = syncBar(terminal)
  const at = (lastAccepted: bigint, target: bigint) => {
    now += 1_000
    update({ phase: "fetching", lastAccepted, target, waiting: 7n })
  }
  update({ phase: "connecting", lastAccepted: 100n, target: 100n, waiting: 0n })
  expect(notes).toEqual([])
  at(100n, 1_000n)
  at(200n, 1_000n)
  at(600n, 1_200n)
  expect(notes.at(-1)).toBe("\r[############------------]  50 %  600 of 1,200 blocks  250/s  0:03 left  7 fetched\x1b[K")
  update(undefined)
  update(undefined)
  expect(notes.slice(3)).toEqual(["\r\x1b[K"])
})
