import { expect, test } from "vitest"
import { clientOf, Gate, RateLimiter } from "./limits.js"

const limits = { unitsPerSecond: 10, burst: 20, paidMilliseconds: 5, heavy: 1, heavyWaiting: 1 }

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
  caller.charge(5 + 33)
  expect(caller.admit(1)).toBe(2)
  caller.charge(1_000_000)
  expect(caller.admit(1)).toBe(3)
  now = 2100
  expect(caller.admit(1)).toBeUndefined()
})

test("heavy work takes turns, and one too many is sent away", async () => {
  const gate = new Gate(1, 1)
  const log: string[] = []
  let finish = () => {}
  const first = gate.run(() => new Promise<void>((resolve) => (finish = resolve)))
  const second = gate.run(() => log.push("second"))
  await expect(gate.run(() => log.push("third"))).rejects.toMatchObject({ code: "rpc.busy" })
  expect(log).toEqual([])
  finish()
  await Promise.all([first, second])
  expect(log).toEqual(["second"])
  await gate.run(() => log.push("fourth"))
  expect(log).toEqual(["second", "fourth"])
})

test("heavy work that fails makes room all the same", async () => {
  const gate = new Gate(1, 1)
  const fail = () => {
    throw new Error("no")
  }
  await expect(gate.run(fail)).rejects.toThrow("no")
  await expect(gate.run(() => "ok")).resolves.toBe("ok")
})

test("a client is its socket; a forwarded address counts only from a trusted proxy", () => {
  const plain = clientOf([])
  expect(plain("9.9.9.9", "1.2.3.4")).toBe("9.9.9.9")
  const behind = clientOf(["10.0.0.0/8", "::1"])
  expect(behind("10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2")).toBe("1.2.3.4")
  expect(behind("::ffff:10.0.0.1", "1.2.3.4")).toBe("1.2.3.4")
  expect(behind("::1", "1.2.3.4")).toBe("1.2.3.4")
  expect(behind("9.9.9.9", "1.2.3.4")).toBe("9.9.9.9")
  expect(behind("10.0.0.1", "nonsense")).toBe("10.0.0.1")
  expect(behind("10.0.0.1", undefined)).toBe("10.0.0.1")
})

test("addresses of one IPv6 household count as one client", () => {
  const of = clientOf([])
  expect(of("2001:db8:1:2:3:4:5:6", undefined)).toBe(of("2001:db8:1:2:ffff::1", undefined))
  expect(of("2001:db8:1:2::1", undefined)).not.toBe(of("2001:db8:1:3::1", undefined))
})
