import { expect, test } from "vitest"
import { RateLimiter } from "./limits.js"

const limits = { unitsPerSecond: 10, burst: 20, paidMilliseconds: 5, connections: 1, maxBody: 1, heavy: 1, heavyWaiting: 1 }

test("a client may use what it saved up, and then what comes back", () => {
  let now = 0
  const limiter = new RateLimiter(limits, () => now)
  const take = (cost: number, client = "a") => limiter.callerOf(client).admit(cost)
  expect([take(15), take(5)]).toEqual([undefined, undefined])
  expect(take(15)).toBe(2)
  expect(take(15, "b")).toBeUndefined()
  now = 1400
  expect(take(15)).toBe(1)
  now = 1500
  expect(take(15)).toBeUndefined()
})

test("a call that costs more than anyone can save up takes all of that", () => {
  let now = 0
  const limiter = new RateLimiter(limits, () => now)
  expect(limiter.callerOf("a").admit(1000)).toBeUndefined()
  expect(limiter.callerOf("a").admit(1000)).toBe(2)
  now = 2000
  expect(limiter.callerOf("a").admit(1000)).toBeUndefined()
})

test("a call that took longer than it cost is paid for afterwards", () => {
  let now = 0
  const caller = new RateLimiter(limits, () => now).callerOf("a")
  expect(caller.admit(1)).toBeUndefined()
  for (let i = 0; i < 100; i++) caller.charge(5)
  expect(caller.admit(1)).toBeUndefined()
  expect(caller.admit(0)).toBeUndefined()
  caller.charge(5 + 33)
  expect(caller.admit(0)).toBe(2)
  expect(caller.admit(1)).toBe(2)
  caller.charge(1_000_000)
  expect(caller.admit(1)).toBe(3)
  now = 2100
  expect(caller.admit(1)).toBeUndefined()
})

test("heavy work takes turns, and one too many is sent away", async () => {
  const { heavy } = new RateLimiter(limits, () => 0).callerOf("a")
  const log: string[] = []
  let finish = () => {}
  const first = heavy(() => new Promise<void>((resolve) => (finish = resolve)))
  const second = heavy(() => log.push("second"))
  await expect(heavy(() => log.push("third"))).rejects.toMatchObject({ code: "rpc.busy" })
  expect(log).toEqual([])
  finish()
  await Promise.all([first, second])
  expect(log).toEqual(["second"])
  await heavy(() => log.push("fourth"))
  expect(log).toEqual(["second", "fourth"])
})

test("heavy work that fails makes room all the same", async () => {
  const { heavy } = new RateLimiter(limits, () => 0).callerOf("a")
  const fail = () => {
    throw new Error("no")
  }
  await expect(heavy(fail)).rejects.toThrow("no")
  await expect(heavy(() => "ok")).resolves.toBe("ok")
})
