import { expect, test } from "vitest"
import { END_OF_TIME } from "../../core/lib/wholeSeconds.js"
import { Clock } from "./clock.js"

test("the clock runs with the machine's, ahead of it by its offset", () => {
  let wall = 1_000_900
  const clock = new Clock(() => wall)
  expect([clock.now(), clock.offset, clock.isFrozen]).toEqual([1000n, 0n, false])
  clock.set(5000n, false)
  expect([clock.now(), clock.offset, clock.milliseconds()]).toEqual([5000n, 4000n, 5_000_900])
  wall += 100
  expect([clock.now(), clock.state]).toEqual([5001n, { offset: 4000n, frozenAt: undefined }])
  expect([clock.millisecondsUntil(5001n), clock.millisecondsUntil(5003n)]).toEqual([0, 2000])
})

test("a frozen clock does not advance, and no timer ends", () => {
  let wall = 1_000_000
  const clock = new Clock(() => wall, { offset: 7n, frozenAt: 900n })
  expect([clock.now(), clock.offset, clock.isFrozen]).toEqual([900n, -100n, true])
  wall += 60_000
  expect([clock.now(), clock.offset, clock.milliseconds()]).toEqual([900n, -160n, 900_000])
  expect([clock.millisecondsUntil(900n), clock.millisecondsUntil(901n)]).toEqual([0, undefined])
  clock.set(900n, false)
  wall += 2_000
  expect(clock.now()).toBe(902n)
})

test("the clock waits when the machine's clock is set back, reports it once, and continues when the machine has caught up", () => {
  let wall = 10_000_000
  const logged: string[] = []
  const say = (event: string, data: object = {}) => void logged.push(`${event} ${JSON.stringify(data)}`)
  const log = { isEnabled: () => true, debug: say, info: say, warn: say, error: say }
  const clock = new Clock(() => wall, { offset: 5n, frozenAt: undefined }, log)
  expect([clock.now(), clock.milliseconds()]).toEqual([10_005n, 10_005_000])
  wall -= 3_600_000
  for (let i = 0; i < 3; i++) expect([clock.now(), clock.milliseconds()]).toEqual([10_005n, 10_005_000])
  expect(clock.millisecondsUntil(10_006n)).toBe(3_601_000)
  wall += 3_599_500
  expect(clock.now()).toBe(10_005n)
  wall += 2_000
  expect([clock.now(), clock.milliseconds()]).toEqual([10_006n, 10_006_500])
  expect(logged).toEqual([
    'the machine\'s clock was set back: the chain\'s clock waits until it has caught up {"seconds":"3600","at":"10005"}',
    "the machine's clock has caught up: the chain's clock continues {}",
  ])
})

test("a step of a second back and forth, as time servers make it, is not reported", () => {
  let wall = 10_000_000
  let lines = 0
  const say = () => void lines++
  const clock = new Clock(() => wall, undefined, { isEnabled: () => true, debug: say, info: say, warn: say, error: say })
  const shown = [0, -900, 300, 1500].map((change) => {
    wall += change
    return clock.now()
  })
  expect([shown, lines]).toEqual([[10_000n, 10_000n, 10_000n, 10_000n], 0])
})

test("a clock can be set to any time, also back", () => {
  const clock = new Clock(() => 10_000_000)
  expect(clock.now()).toBe(10_000n)
  clock.set(7_000n, false)
  expect(clock.now()).toBe(7_000n)
})

test("the clock ends with the year 9999", () => {
  let wall = Number(END_OF_TIME) * 1000
  const clock = new Clock(() => wall)
  expect(clock.now()).toBe(END_OF_TIME)
  wall += 5_000
  expect([clock.now(), clock.milliseconds()]).toEqual([END_OF_TIME, Number(END_OF_TIME) * 1000])
})
