import { expect, test } from "vitest"
import { WorkPace } from "./workPace.js"

test("long work lets others run between its pieces, and is charged for its own milliseconds alone", async () => {
  let now = 0
  const turns: number[] = []
  const pace = new WorkPace(
    () => now,
    (callback) => {
      turns.push(now)
      // Others work for a second.
      now += 1000
      callback()
    },
  )
  for (const milliseconds of [4, 5, 1, 30, 9]) {
    now += milliseconds
    if (pace.isDue) await pace.pause()
  }
  expect([turns, pace.milliseconds]).toEqual([[10, 1040], 49])
})
