import { expect, test } from "vitest"
import { doNow, finish, isWork, type Work, wait } from "./work.js"

function* sum(numbers: readonly (number | Promise<number>)[]): Work<number> {
  let total = 0
  for (const each of numbers) {
    yield
    total += typeof each === "number" ? each : yield* wait(each)
  }
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
