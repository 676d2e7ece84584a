import { expect, onTestFinished, test, vi } from "vitest"
import { executeInTurns } from "./executeInTurns.js"

/** Makes a clock that is 15 milliseconds later at every look. */
function slowClock(): void {
  let now = 0
  const spy = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 15
    return now
  })
  onTestFinished(() => spy.mockRestore())
}

test("items are written when a turn is over and may be written, and at the end", async () => {
  slowClock()
  const done: string[] = []
  await executeInTurns(["a", "b", "c", "d", "e"], {
    execute: (item) => done.push(item),
    mayFlush: () => done.at(-1) !== "b",
    flush: () => done.push("|"),
  })
  expect(done.join("")).toBe("abc|de||")
})

test("what a failed write leaves is written at the end", async () => {
  slowClock()
  const [unwritten, written]: [string[], string[]] = [[], []]
  let isFull = true
  const flush = () => {
    if (isFull) {
      isFull = false
      throw new Error("the disk is full")
    }
    written.push(...unwritten.splice(0))
  }
  const execution = executeInTurns(["a", "b", "c"], { execute: (item) => unwritten.push(item), flush })
  await expect(execution).rejects.toThrow("the disk is full")
  expect([written, unwritten]).toEqual([["a", "b"], []])
})
