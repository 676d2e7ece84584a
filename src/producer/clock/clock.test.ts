import { expect, test } from "vitest"
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

test("a frozen clock stands still, and no time ever comes", () => {
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
