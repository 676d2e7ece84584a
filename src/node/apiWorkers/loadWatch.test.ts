import { expect, test } from "vitest"
import { LoadWatch } from "./loadWatch.js"

/** A watch over a process whose load is given, interval by interval. */
function watched() {
  let [look, isOver, busy, load] = [() => {}, false, 0, 0]
  const watch = new LoadWatch(() => busy++, {
    utilization: () => load,
    every(_milliseconds, callback) {
      look = callback
      return () => {
        isOver = true
      }
    },
  })
  watch.start()
  const interval = (utilization: number, answers: number) => {
    load = utilization
    for (let i = 0; i < answers; i++) watch.answered()
    if (!isOver) look()
    return busy
  }
  return { watch, interval }
}

test("a process whose calls keep the event loop busy is reported once", () => {
  const { interval } = watched()
  expect([interval(0.1, 5000), interval(0.59, 5000), interval(0.61, 5000), interval(1, 5000)]).toEqual([0, 0, 1, 1])
})

test("a chain that keeps the event loop busy with few calls does not count", () => {
  const { interval } = watched()
  expect([interval(1, 0), interval(1, 99), interval(1, 60), interval(1, 100)]).toEqual([0, 0, 0, 1])
})

test("nothing is reported after the stop", () => {
  const { watch, interval } = watched()
  watch.stop()
  expect(interval(1, 5000)).toBe(0)
})
