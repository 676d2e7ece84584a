import { expect, test } from "vitest"
import { after, collect, doNow, finish, isWork, type Work, wait } from "./work.js"

function* sum(numbers: readonly (number | Promise<number>)[]): Work<number> {
  let total = 0
  for (const each of numbers) {
    yield
    total += typeof each === "number" ? each : yield* wait(each)
  }
  yield 5
  return total
}

test("work is finished step by step, and waits for promises", async () => {
  expect(await finish(sum([1, Promise.resolve(2), 3]))).toBe(6)
  expect(doNow(sum([1, 2]))).toBe(3)
  expect(() => doNow(sum([Promise.resolve(2)]))).toThrow("has to wait")
})

test("a promise that fails, fails at the place that waits for it", async () => {
  function* guarded(): Work<string> {
    try {
      return yield* wait(Promise.reject(new Error("no")))
    } catch (error) {
      return `caught ${(error as Error).message}`
    }
  }
  expect(await finish(guarded())).toBe("caught no")
  await expect(finish(sum([Promise.reject(new Error("no"))]))).rejects.toThrow("no")
  await expect(finish(failsAfterWaiting())).rejects.toThrow("later")
})

function* failsAfterWaiting(): Work<void> {
  yield* wait(Promise.resolve())
  throw new Error("later")
}

test("work is distinguished from answers", () => {
  expect([sum([]), [1], { next: 1 }, "text", null, undefined].map((each) => isWork<unknown>(each))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

test("few values are collected at once, many in steps", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
  expect(collect(numbers(255))).toEqual(numbers(255))
  const many = collect(numbers(1000))
  expect([isWork(many), doNow(many)]).toEqual([true, numbers(1000)])
  expect(after(collect(numbers(3)), (found) => found.length)).toBe(3)
  expect(doNow(after(collect(numbers(300)), (found) => found.length))).toBe(300)
})

test("collecting that is cancelled ends its iteration", () => {
  let isEnded = false
  function* endless() {
    try {
      for (;;) yield 1
    } finally {
      isEnded = true
    }
  }
  const work = collect(endless())
  if (!isWork(work)) throw new Error("it was collected at once")
  work.next()
  work.return([])
  expect(isEnded).toBe(true)
})
