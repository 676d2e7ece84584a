import { expect, test } from "vitest"
import { HeightWaiters } from "./heightWaiters.js"

const LIMITS = { total: 4, each: 4 }

/** A request that waits, and what became of it. */
function waiterFor(minHeight: bigint, isGone = () => false) {
  let settle: (outcome: unknown) => void = () => {}
  const outcome = new Promise((resolve) => {
    settle = resolve
  })
  return { client: "one", minHeight, isGone, done: settle, failed: settle, outcome }
}

test("a request that waits gets the error if the height cannot be read, and the next one waits as usual", async () => {
  const unreadable = new Error("the store cannot be read")
  let height = (): bigint => {
    throw unreadable
  }
  const waiters = new HeightWaiters(() => height(), LIMITS)
  const [one, two] = [waiterFor(5n), waiterFor(6n)]
  waiters.add(one)
  waiters.add(two)
  expect(await Promise.all([one.outcome, two.outcome])).toEqual([unreadable, unreadable])
  expect(waiters.size).toBe(0)
  height = () => 7n
  const later = waiterFor(7n)
  waiters.add(later)
  expect(await later.outcome).toBe(7n)
})

test("the height is not read for clients that have left, nor after the server was closed", async () => {
  let reads = 0
  const waiters = new HeightWaiters(() => {
    reads++
    return 0n
  }, LIMITS)
  waiters.add(waiterFor(5n, () => true))
  while (waiters.size > 0) await new Promise((resolve) => setTimeout(resolve))
  waiters.add(waiterFor(5n))
  waiters.close()
  expect([reads, waiters.size]).toEqual([0, 0])
})

test("a client has as many waiting requests as it may, and so have all together", () => {
  const waiters = new HeightWaiters(() => 5n, { total: 3, each: 2 })
  const added = ["a", "a", "a", "b", "c"].map((client) => waiters.add({ ...waiterFor(6n), client }))
  waiters.close()
  expect(added).toEqual([true, true, false, true, false])
})
