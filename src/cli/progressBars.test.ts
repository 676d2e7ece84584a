import { expect, test } from "vitest"
import { copyBar } from "./copyBar.js"
import { syncBar } from "./syncBar.js"
import type { Terminal } from "./terminal.js"

/** Draws one bar: `idle` draws nothing, `at` is called each second with a height and a target, and `end` removes the bar. */
interface DrawnBar {
  idle(): void
  at(height: bigint, target: bigint): void
  end(): void
}

const bars: readonly (readonly [name: string, note: string, open: (terminal: Terminal) => DrawnBar])[] = [
  [
    "a copy",
    "",
    (terminal) => {
      const update = copyBar(terminal)
      return { idle: () => update(undefined), at: (height, target) => update({ height, target }), end: () => update(undefined) }
    },
  ],
  [
    "a node that bootstraps",
    "  7 fetched",
    (terminal) => {
      const update = syncBar(terminal)
      return {
        idle: () => update({ phase: "connecting", lastAccepted: 100n, target: 100n, waiting: 0n }),
        at: (lastAccepted, target) => update({ phase: "fetching", lastAccepted, target, waiting: 7n }),
        end: () => update(undefined),
      }
    },
  ],
]

test.each(bars)(
  "the bar of %s shows share, rate and time left, follows a target that grows, and is removed at the end",
  (_, note, open) => {
    const notes: string[] = []
    let now = 1_000_000
    const terminal = { columns: 100, note: (text: string) => void notes.push(text), now: () => now } as Terminal
    const bar = open(terminal)
    bar.idle()
    expect(notes).toEqual([])
    for (const [height, target] of [
      [100n, 1_000n],
      [200n, 1_000n],
      [600n, 1_200n],
    ] as const) {
      now += 1_000
      bar.at(height, target)
    }
    expect(notes.at(-1)).toBe(`\r[############------------]  50 %  600 of 1,200 blocks  250/s  0:03 left${note}\x1b[K`)
    bar.end()
    bar.end()
    expect(notes.slice(3)).toEqual(["\r\x1b[K"])
  },
)
