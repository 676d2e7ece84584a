import { expect, test } from "vitest"
import { ClientBudget } from "./clientBudget.js"
import { LoopScheduler } from "./loopScheduler.js"
import { RateLimiter } from "./rateLimiter.js"

function limiter(maxClients?: number) {
  const clock = { now: 0 }
  const made = new RateLimiter({ unitsPerSecond: 10, burst: 40 }, () => clock.now, maxClients === undefined ? {} : { maxClients })
  return { clock, limiter: made }
}

test("units are refilled every second, up to the limit", () => {
  const { clock, limiter: units } = limiter()
  expect(units.take("a", 40)).toBeUndefined()
  expect(units.take("a", 1)).toBe(1)
  expect(units.take("a", 25)).toBe(3)
  expect(units.take("b", 40)).toBeUndefined()
  clock.now = 2500
  expect(units.take("a", 25)).toBeUndefined()
  clock.now = 1_000_000
  expect(units.unitsOf("a")).toBe(40)
  expect(units.take("a", 1000)).toBeUndefined()
  expect(units.unitsOf("a")).toBe(0)
  expect(units.charged).toBe(40 + 40 + 25 + 40)
})

test("a debt is paid in full, however large it is", () => {
  const { clock, limiter: units } = limiter()
  units.charge("a", 16_040)
  expect(units.take("a", 0)).toBe(1600)
  clock.now = 1_599_000
  expect(units.take("a", 0)).toBe(1)
  clock.now = 1_600_000
  expect(units.take("a", 0)).toBeUndefined()
})

test("new clients do not evict the debts of others", () => {
  const { limiter: units } = limiter(1000)
  units.charge("debtor", 240)
  for (let i = 0; i < 10_000; i++) units.charge(`${i}`, 1)
  expect(units.size).toBeLessThanOrEqual(1000)
  expect(units.unitsOf("debtor")).toBe(-200)
})

test("when all remembered clients are in debt, the smallest debts are forgotten", () => {
  const { limiter: units } = limiter(100)
  for (let i = 0; i < 100; i++) units.charge(`${i}`, 50 + i * 10)
  units.charge("one more", 45)
  expect(units.size).toBeLessThanOrEqual(91)
  for (let i = 50; i < 100; i++) expect(units.unitsOf(`${i}`)).toBe(40 - 50 - i * 10)
})

test("what clients occupy is bounded for each client and for all", () => {
  const budget = new ClientBudget(100, 60)
  expect([budget.take("a", 60), budget.take("a", 1), budget.take("b", 40), budget.take("c", 1)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  expect([budget.isBelowLimit("a"), budget.isBelowLimit("c")]).toEqual([false, false])
  budget.give("a", 60)
  expect([budget.isBelowLimit("a"), budget.isBelowLimit("c")]).toEqual([true, true])
  expect([budget.take("a", 61), budget.take("a", 60), budget.used]).toEqual([false, true, 100])
})

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test("work runs at once until the turn is used up, and then one client after the other", async () => {
  const scheduler = new LoopScheduler()
  const order: string[] = []
  const begin = (client: string, name: string, milliseconds: number) =>
    scheduler.begin(client, () => {
      order.push(name)
      scheduler.spend(milliseconds)
    })
  begin("a", "a1", 4)
  begin("a", "a2", 7)
  expect([order, scheduler.isOver(0)]).toEqual([["a1", "a2"], true])
  for (const name of ["a3", "a4", "a5"]) begin("a", name, 11)
  begin("b", "b1", 0)
  begin("c", "c1", 11)
  expect([order, scheduler.waiting]).toEqual([["a1", "a2"], 5])
  while (scheduler.waiting > 0) await turn()
  expect(order).toEqual(["a1", "a2", "a3", "b1", "c1", "a4", "a5"])
})

test("a client begins nothing while work of its own is interrupted; others do", async () => {
  const scheduler = new LoopScheduler()
  const order: string[] = []
  const long = (left: number) => () => {
    order.push(`long ${left}`)
    scheduler.spend(11)
    if (left > 0) scheduler.resume("a", { run: long(left - 1) })
  }
  scheduler.begin("a", long(2))
  scheduler.begin("a", () => order.push("next of a"))
  scheduler.begin("b", () => order.push("b"))
  while (scheduler.waiting > 0) await turn()
  expect(order).toEqual(["long 2", "long 1", "b", "long 0", "next of a"])
})
